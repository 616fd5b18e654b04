package io.headrace.format.tar;

import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.ConfigException;
import org.jspecify.annotations.Nullable;

/// How to open tar shards.
///
/// @param compression of the files as a whole, or null to find out from each file's first bytes
/// @param partial whether sets named `x-00000-of-00016` with a shard missing are taken as they are
/// @param maxWindowLog 10 to 31, base-2 logarithm of the largest zstd window to accept, in bytes
public record TarOptions(@Nullable StreamKind compression, boolean partial, int maxWindowLog) {
  /// Finds out the compression, wants complete sets, takes windows up to 128 MiB.
  public static final TarOptions DEFAULT = new TarOptions(null, false, Streams.DEFAULT_WINDOW_LOG);

  /// Checks the window.
  ///
  /// @throws ConfigException if it is out of range
  public TarOptions {
    if (maxWindowLog < 10 || maxWindowLog > 31) {
      throw new ConfigException("window limit %d is not in 10 to 31".formatted(maxWindowLog));
    }
  }
}
