package io.headrace.cli.options;

import io.headrace.error.ConfigException;
import io.headrace.serve.NetworkOptions;
import io.headrace.serve.NetworkServer;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of serving other hosts.
public final class FlightOptions {
  @Option(
      names = "--flight",
      paramLabel = "HOST:PORT",
      description =
          "Address to listen on, for consumers on any host by Arrow Flight: any number of ranks at"
              + " a time, each of which may take from several servers. 0.0.0.0 is every interface.")
  private @Nullable String address;

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description = "Encrypt --flight: certificate chain of this server, PEM.")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Private key of the certificate, PEM (PKCS 8).")
  private @Nullable Path key;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description =
          "Let in consumers of --flight that say one of the tokens in a file, a line each.")
  private @Nullable Path tokens;

  @Option(
      names = "--compress",
      paramLabel = "HOW",
      description = "How samples travel by --flight: none (the default), or lz4.")
  private String compress = "none";

  /// {@return whether other hosts are to be served}
  public boolean asked() {
    if (address == null && (certificate != null || key != null || tokens != null || compressed())) {
      throw new ConfigException(
          "--tls-certificate, --tls-key, --tokens and --compress are of --flight: expected it too");
    }
    return address != null;
  }

  private boolean compressed() {
    return switch (compress) {
      case "none" -> false;
      case "lz4" -> true;
      default ->
          throw new ConfigException("--compress %s: expected none or lz4".formatted(compress));
    };
  }

  public NetworkOptions options() {
    String at = address;
    return NetworkOptions.at(at == null ? "" : at, certificate, key, tokens, compressed());
  }

  /// {@return what serves}
  ///
  /// @throws ConfigException if its libraries are not there
  public NetworkServer server() {
    return ServiceLoader.load(NetworkServer.class)
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigException(
                    "--flight: the module flight is not installed with this command: expected a"
                        + " checkout of Headrace (./headrace serve), or the image of its"
                        + " Dockerfile's target feed"));
  }
}
