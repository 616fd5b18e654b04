package io.headrace.format.shard;

import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.ConfigException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How to open shards that may be compressed as a whole.
///
/// @param compression of the files, or null to find out from each file's first bytes
/// @param partial whether sets named `x-00000-of-00016` with a shard missing are taken as they are
/// @param maxWindowLog 10 to 31, base-2 logarithm of the largest zstd window to accept, in bytes
public record ShardOptions(@Nullable StreamKind compression, boolean partial, int maxWindowLog) {
  /// Finds out the compression, wants complete sets, takes windows up to 128 MiB.
  public static final ShardOptions DEFAULT =
      new ShardOptions(null, false, Streams.DEFAULT_WINDOW_LOG);

  /// Checks the window.
  ///
  /// @throws ConfigException if it is out of range
  public ShardOptions {
    if (maxWindowLog < 10 || maxWindowLog > 31) {
      throw new ConfigException("window limit %d is not in 10 to 31".formatted(maxWindowLog));
    }
  }

  /// {@return the default, but for a declared compression: `auto` or a label of [StreamKind]}
  ///
  /// @throws ConfigException if the name is unknown
  public static ShardOptions compressed(String label) {
    boolean auto = label.toLowerCase(Locale.ROOT).equals("auto");
    return new ShardOptions(
        auto ? null : StreamKind.of(label), DEFAULT.partial, DEFAULT.maxWindowLog);
  }
}
