package io.headrace.serve;

import io.headrace.error.ConfigException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where and how a [NetworkServer] serves.
///
/// @param host name or address to listen on
/// @param port 1 to 65,535, or 0 for a free one
/// @param certificate PEM file of the server's certificate chain, or null for no encryption
/// @param key PEM file of its private key (PKCS 8), null without a certificate
/// @param tokens file with a token on each line, one of which a consumer has to say; null for none
/// @param compressed whether samples travel as LZ4 blocks
public record NetworkOptions(
    String host,
    int port,
    @Nullable Path certificate,
    @Nullable Path key,
    @Nullable Path tokens,
    boolean compressed) {
  /// Checks that what belongs together is there.
  ///
  /// @throws ConfigException if it is not
  public NetworkOptions {
    if ((certificate == null) != (key == null)) {
      throw new ConfigException("a certificate without a key, or a key without: expected both");
    }
  }

  /// {@return options for an address}
  ///
  /// @param address `HOST:PORT`; an IPv6 address stands in brackets
  /// @throws ConfigException if it is none
  public static NetworkOptions at(
      String address,
      @Nullable Path certificate,
      @Nullable Path key,
      @Nullable Path tokens,
      boolean compressed) {
    int colon = address.lastIndexOf(':');
    int port = -1;
    if (colon > 0) {
      try {
        port = Integer.parseInt(address.substring(colon + 1));
      } catch (NumberFormatException e) {
        port = -1;
      }
    }
    if (port < 0 || port > 0xffff) {
      throw new ConfigException(
          "address '%s': expected HOST:PORT, such as 0.0.0.0:8815".formatted(address));
    }
    String host = address.substring(0, colon);
    return new NetworkOptions(host, port, certificate, key, tokens, compressed);
  }
}
