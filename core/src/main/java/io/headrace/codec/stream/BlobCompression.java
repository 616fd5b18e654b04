package io.headrace.codec.stream;

import io.headrace.error.ConfigException;
import org.jspecify.annotations.Nullable;

/// How a blob, such as one sample of a shard, is compressed by itself.
///
/// A blob carries no size and no checksum: whoever stores it keeps its plain size, and has
/// checksums of its own.
public sealed interface BlobCompression {
  /// {@return the name users type: `none`, `lz4` or `zstd`}
  default String label() {
    return switch (this) {
      case None _ -> "none";
      case Lz4 _ -> "lz4";
      case Zstd _ -> "zstd";
    };
  }

  /// The bytes as they are.
  record None() implements BlobCompression {}

  /// One LZ4 block, as in `lz4_Block_format.md`.
  ///
  /// @param level 0 fast, 1 to 12 `LZ4_HC` with more and more effort
  record Lz4(int level) implements BlobCompression {
    /// Checks the level.
    ///
    /// @throws ConfigException if it is out of range
    public Lz4 {
      CompressionSpec.checkRange("lz4", "level", level, 0, 12);
    }
  }

  /// One zstd frame, without a checksum.
  ///
  /// @param level as in [Compression.Zstd]
  /// @param dictionary what both sides know beforehand, or null; it must outlive its users
  record Zstd(int level, @Nullable ZstdDictionary dictionary) implements BlobCompression {
    /// Checks the level.
    ///
    /// @throws ConfigException if it is out of range
    public Zstd {
      CompressionSpec.checkRange("zstd", "level", level, -131072, 22);
    }

    /// zstd without a dictionary.
    public Zstd(int level) {
      this(level, null);
    }
  }
}
