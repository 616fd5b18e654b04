package io.headrace.codec.stream;

import io.headrace.error.ConfigException;

/// Compression of a whole byte stream, with every option its library takes.
///
/// Each has a spelling, such as `zlib:level=6,strategy=rle`: see [#parse] and [#spec].
public sealed interface Compression {
  /// {@return the kind of stream it writes}
  default StreamKind kind() {
    return switch (this) {
      case None _ -> StreamKind.NONE;
      case Zlib _ -> StreamKind.ZLIB;
      case Gzip _ -> StreamKind.GZIP;
      case Zstd _ -> StreamKind.ZSTD;
      case Lz4 _ -> StreamKind.LZ4;
      case Snappy _ -> StreamKind.SNAPPY;
      case Xz _ -> StreamKind.XZ;
      case Bzip2 _ -> StreamKind.BZIP2;
      case Lzma _ -> StreamKind.LZMA;
      case Lzop _ -> StreamKind.LZOP;
    };
  }

  /// {@return its spelling, which [#parse] reads back: the label, then what is not the default}
  default String spec() {
    return CompressionSpec.text(this);
  }

  /// {@return the name users type, such as `zlib`: that of its [#kind]}
  default String label() {
    return kind().label();
  }

  /// {@return the compression that `spec` spells, in any case}
  ///
  /// A label, then optionally a colon and `option=value` pairs between commas. zlib and gzip take
  /// `level`, `strategy` (`default`, `filtered`, `huffman`, `rle`, `fixed`, or 0 to 4), `window`
  /// and `mem`; zstd takes `level`, `strategy` (0 to 9), `windowlog`, `workers` and `checksum`; lz4
  /// takes `level`, `blocksize` (4 to 7), `blockchecksum` and `checksum`; snappy and lzop take
  /// nothing; xz, lzma and bzip2 take `level`.
  ///
  /// @throws ConfigException if the label or an option is unknown, or a value out of range
  static Compression parse(String spec) {
    return CompressionSpec.parse(spec);
  }

  /// The bytes as they are.
  record None() implements Compression {}

  /// How deflate looks for matches.
  enum Strategy {
    /// `Z_DEFAULT_STRATEGY`.
    DEFAULT(0),
    /// `Z_FILTERED`: short matches dropped, more Huffman coding.
    FILTERED(1),
    /// `Z_HUFFMAN_ONLY`: no matches at all.
    HUFFMAN_ONLY(2),
    /// `Z_RLE`: matches of distance one only.
    RLE(3),
    /// `Z_FIXED`: no dynamic Huffman tables.
    FIXED(4);

    private final int number;

    Strategy(int number) {
      this.number = number;
    }

    /// {@return zlib's own number}
    public int number() {
      return number;
    }
  }

  /// RFC 1950, written by libz.
  ///
  /// @param level -1 (libz's default, 6) or 0 to 9
  /// @param windowBits 9 to 15, base-2 logarithm of the window in bytes
  /// @param memLevel 1 to 9; TensorFlow uses 9, libz's own default is 8
  /// @param strategy how matches are sought
  record Zlib(int level, int windowBits, int memLevel, Strategy strategy) implements Compression {
    /// TensorFlow's defaults.
    public static final Zlib DEFAULT = new Zlib(-1, 15, 9, Strategy.DEFAULT);

    /// Checks the ranges.
    ///
    /// @throws ConfigException if a value is out of range
    public Zlib {
      CompressionSpec.checkDeflate("zlib", level, windowBits, memLevel);
    }
  }

  /// RFC 1952, written by libz; options as in [Zlib].
  record Gzip(int level, int windowBits, int memLevel, Strategy strategy) implements Compression {
    /// TensorFlow's defaults.
    public static final Gzip DEFAULT = new Gzip(-1, 15, 9, Strategy.DEFAULT);

    /// Checks the ranges.
    ///
    /// @throws ConfigException if a value is out of range
    public Gzip {
      CompressionSpec.checkDeflate("gzip", level, windowBits, memLevel);
    }
  }

  /// RFC 8878, written by libzstd.
  ///
  /// @param level 1 to 22, or negative for the fast levels, down to -131072; 0 is libzstd's
  ///     default, 3
  /// @param strategy 0 (by level) or 1 `fast` to 9 `btultra2`
  /// @param windowLog 0 (by level) or 10 to 31, base-2 logarithm of the window in bytes
  /// @param workers compressing threads, at most 256; 0 compresses in the calling thread
  /// @param checksum whether frames end in a checksum; the TensorFlow writer of the paper sets it
  record Zstd(int level, int strategy, int windowLog, int workers, boolean checksum)
      implements Compression {
    /// The paper's defaults.
    public static final Zstd DEFAULT = new Zstd(3, 0, 0, 0, true);

    /// Checks the ranges.
    ///
    /// @throws ConfigException if a value is out of range
    public Zstd {
      CompressionSpec.checkRange("zstd", "level", level, -131072, 22);
      CompressionSpec.checkRange("zstd", "strategy", strategy, 0, 9);
      if (windowLog != 0) {
        CompressionSpec.checkRange("zstd", "windowlog", windowLog, 10, 31);
      }
      CompressionSpec.checkRange("zstd", "workers", workers, 0, 256);
    }
  }

  /// The LZ4 frame format 1.6, blocks independent of one another.
  ///
  /// @param level 0 fast, 1 to 12 `LZ4_HC` with more and more effort
  /// @param blockSize 4, 5, 6 or 7: at most 64 KiB, 256 KiB, 1 MiB or 4 MiB of plain bytes a block
  /// @param blockChecksum whether each block ends in a checksum
  /// @param checksum whether frames end in a checksum of the plain bytes
  record Lz4(int level, int blockSize, boolean blockChecksum, boolean checksum)
      implements Compression {
    /// Fast, 256 KiB blocks, one checksum at the end.
    public static final Lz4 DEFAULT = new Lz4(0, 5, false, true);

    /// Checks the ranges.
    ///
    /// @throws ConfigException if a value is out of range
    public Lz4 {
      CompressionSpec.checkRange("lz4", "level", level, 0, 12);
      CompressionSpec.checkRange("lz4", "blocksize", blockSize, 4, 7);
    }
  }

  /// The Snappy framing format, 64 KiB of plain bytes a chunk. It marks no end: a stream that was
  /// cut between two chunks looks whole.
  record Snappy() implements Compression {}

  /// The .xz file format 1.2 with LZMA2 and CRC-64, by xz for Java: on the heap, in one thread.
  ///
  /// @param level xz's preset, 0 to 9; 6 takes 94 MiB of heap to compress, 9 takes 674 MiB
  record Xz(int level) implements Compression {
    /// xz's default.
    public static final Xz DEFAULT = new Xz(6);

    /// Checks the range.
    ///
    /// @throws ConfigException if the level is out of range
    public Xz {
      CompressionSpec.checkRange("xz", "level", level, 0, 9);
    }
  }

  /// bzip2, by Commons Compress: on the heap, in one thread.
  ///
  /// @param level 1 to 9: blocks of so many 100,000 bytes
  record Bzip2(int level) implements Compression {
    /// bzip2's default.
    public static final Bzip2 DEFAULT = new Bzip2(9);

    /// Checks the range.
    ///
    /// @throws ConfigException if the level is out of range
    public Bzip2 {
      CompressionSpec.checkRange("bzip2", "level", level, 1, 9);
    }
  }

  /// The .lzma format of LZMA Utils, by xz for Java: on the heap, in one thread. It has no
  /// checksum, and cannot be flushed.
  ///
  /// @param level as in [Xz]
  record Lzma(int level) implements Compression {
    /// xz's default.
    public static final Lzma DEFAULT = new Lzma(6);

    /// Checks the range.
    ///
    /// @throws ConfigException if the level is out of range
    public Lzma {
      CompressionSpec.checkRange("lzma", "level", level, 0, 9);
    }
  }

  /// The format of the lzop command: LZO1X-1 in blocks of 256 KiB.
  record Lzop() implements Compression {}
}
