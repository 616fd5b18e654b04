package io.headrace.codec.stream;

/// Compression of a whole byte stream, with every option its library takes.
public sealed interface Compression {
  /// {@return the name users type: `none`, `zlib`, `gzip` or `zstd`}
  String label();

  /// The bytes as they are.
  record None() implements Compression {
    @Override
    public String label() {
      return "none";
    }
  }

  /// How deflate looks for matches; the ordinals are zlib's own numbers.
  enum Strategy {
    /// `Z_DEFAULT_STRATEGY`.
    DEFAULT,
    /// `Z_FILTERED`: short matches dropped, more Huffman coding.
    FILTERED,
    /// `Z_HUFFMAN_ONLY`: no matches at all.
    HUFFMAN_ONLY,
    /// `Z_RLE`: matches of distance one only.
    RLE,
    /// `Z_FIXED`: no dynamic Huffman tables.
    FIXED
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

    @Override
    public String label() {
      return "zlib";
    }
  }

  /// RFC 1952, written by libz; options as in [Zlib].
  record Gzip(int level, int windowBits, int memLevel, Strategy strategy) implements Compression {
    /// TensorFlow's defaults.
    public static final Gzip DEFAULT = new Gzip(-1, 15, 9, Strategy.DEFAULT);

    @Override
    public String label() {
      return "gzip";
    }
  }

  /// RFC 8878, written by libzstd.
  ///
  /// @param level 1 to 22, or negative for the fast levels; libzstd's default is 3
  /// @param strategy 0 (by level) or 1 `fast` to 9 `btultra2`
  /// @param windowLog 0 (by level) or 10 to 31, base-2 logarithm of the window in bytes
  /// @param workers compressing threads; 0 compresses in the calling thread
  /// @param checksum whether frames end in a checksum; the TensorFlow writer of the paper sets it
  record Zstd(int level, int strategy, int windowLog, int workers, boolean checksum)
      implements Compression {
    /// The paper's defaults.
    public static final Zstd DEFAULT = new Zstd(3, 0, 0, 0, true);

    @Override
    public String label() {
      return "zstd";
    }
  }
}
