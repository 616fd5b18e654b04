package io.headrace.codec.stream;

import io.headrace.error.ConfigException;

/// Compression of a whole byte stream, with every option its library takes.
///
/// Each has a spelling, such as `zlib:level=6,strategy=rle`: see [#parse] and [#spec].
public sealed interface Compression {
  /// {@return the kind of stream it writes}
  StreamKind kind();

  /// {@return its spelling, which [#parse] reads back: the label, then what is not the default}
  String spec();

  /// {@return the name users type: `none`, `zlib`, `gzip` or `zstd`}
  default String label() {
    return kind().label();
  }

  /// {@return the compression that `spec` spells, in any case}
  ///
  /// A label, then optionally a colon and `option=value` pairs between commas. zlib and gzip take
  /// `level`, `strategy` (`default`, `filtered`, `huffman`, `rle`, `fixed`, or 0 to 4), `window`
  /// and `mem`; zstd takes `level`, `strategy` (0 to 9), `windowlog`, `workers` and `checksum`.
  ///
  /// @throws ConfigException if the label or an option is unknown, or a value out of range
  static Compression parse(String spec) {
    return CompressionSpec.parse(spec);
  }

  /// The bytes as they are.
  record None() implements Compression {
    @Override
    public StreamKind kind() {
      return StreamKind.NONE;
    }

    @Override
    public String spec() {
      return label();
    }
  }

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

    @Override
    public StreamKind kind() {
      return StreamKind.ZLIB;
    }

    @Override
    public String spec() {
      return CompressionSpec.deflate(label(), level, windowBits, memLevel, strategy);
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

    @Override
    public StreamKind kind() {
      return StreamKind.GZIP;
    }

    @Override
    public String spec() {
      return CompressionSpec.deflate(label(), level, windowBits, memLevel, strategy);
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

    @Override
    public StreamKind kind() {
      return StreamKind.ZSTD;
    }

    @Override
    public String spec() {
      return CompressionSpec.zstd(this);
    }
  }
}
