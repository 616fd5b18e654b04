package io.headrace.format.race;

import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.stream.BlobCompression;
import io.headrace.error.ConfigException;
import org.jspecify.annotations.Nullable;

/// How race shards are written.
///
/// @param scans which scans of a progressive JPEG form a group, or null to store every sample in
///     one
/// @param levels images of a sample, at most, where each is a level of its own, or bands of a
///     packed JPEG; 1 if there are none
/// @param compression of blobs, beside their own encoding
/// @param blockBytes plain bytes after which a block of blobs is compressed together; 0 to compress
///     every blob by itself. Without compression it is 0
public record RaceOptions(
    @Nullable ScanGroups scans, int levels, BlobCompression compression, int blockBytes) {
  /// One group, not compressed.
  public static final RaceOptions PLAIN = new RaceOptions(null, 1, new BlobCompression.None(), 0);

  private static final int MAX_BLOCK = 64 << 20;

  /// Checks ranges.
  ///
  /// @throws ConfigException if a number is out of range
  public RaceOptions {
    if (levels < 1 || levels > RaceLayout.MAX_GROUPS) {
      throw new ConfigException(
          "%d levels: expected 1 to %d".formatted(levels, RaceLayout.MAX_GROUPS));
    }
    if (scans != null && scans.count() > RaceLayout.MAX_GROUPS) {
      throw new ConfigException(
          "%d groups: expected 1 to %d".formatted(scans.count(), RaceLayout.MAX_GROUPS));
    }
    if (blockBytes < 0 || blockBytes > MAX_BLOCK) {
      throw new ConfigException(
          "blocks of %d bytes: expected 0 to %d".formatted(blockBytes, MAX_BLOCK));
    }
    if (blockBytes > 0 && compression instanceof BlobCompression.None) {
      throw new ConfigException("blocks are there to be compressed: name a compression");
    }
  }

  /// {@return options with these groups, else plain}
  public static RaceOptions grouped(ScanGroups scans) {
    return new RaceOptions(scans, 1, new BlobCompression.None(), 0);
  }

  /// {@return fidelity groups of a shard}
  public int groups() {
    return Math.max(levels, scans == null ? 1 : scans.count());
  }
}
