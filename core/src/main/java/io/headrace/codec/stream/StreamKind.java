package io.headrace.codec.stream;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.stream.blocks.LzopEncoder;
import io.headrace.error.ConfigException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/// How a byte stream is compressed, as far as a reader must know.
public enum StreamKind {
  /// Not at all.
  NONE,
  /// RFC 1950.
  ZLIB,
  /// RFC 1952, one member or several.
  GZIP,
  /// RFC 8878, one frame or several.
  ZSTD,
  /// The LZ4 frame format, one frame or several.
  LZ4,
  /// The Snappy framing format.
  SNAPPY,
  /// The .xz file format, one stream or several.
  XZ,
  /// bzip2, one stream or several.
  BZIP2,
  /// The .lzma format of LZMA Utils: one stream, without a checksum.
  LZMA,
  /// The format of the lzop command, one stream or several.
  LZOP;

  private static final int GZIP_MAGIC = 0x1f8b08;
  private static final int ZSTD_MAGIC = 0xfd2fb528;
  /// Skippable frames begin with one of sixteen numbers; RFC 8878, section 3.1.2.
  private static final int SKIPPABLE_MAGIC = 0x184d2a50;
  private static final int LZ4_MAGIC = 0x184d2204;
  /// A stream identifier chunk.
  private static final byte[] SNAPPY_MAGIC = {(byte) 0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'};
  private static final byte[] LZOP_MAGIC = LzopEncoder.magic();
  private static final byte[] XZ_MAGIC = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0};
  /// Pi, which begins a block, and its square root, which ends a stream; `BZh` and a digit precede.
  private static final byte[] BZIP2_BLOCK = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
  private static final byte[] BZIP2_END = {0x17, 0x72, 0x45, 0x38, 0x50, (byte) 0x90};

  /// {@return the name users type: `none`, `zlib`, `gzip`, `zstd`, `lz4`, `snappy`, `xz`,
  /// `bzip2`, `lzma` or `lzop`}
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// {@return the kind with that label, in any case}
  ///
  /// @throws ConfigException if there is none
  public static StreamKind of(String label) {
    for (StreamKind kind : values()) {
      if (kind.name().equalsIgnoreCase(label)) {
        return kind;
      }
    }
    throw new ConfigException(
        "unknown compression '%s': expected none, zlib, gzip, zstd, lz4, snappy, xz, bzip2, lzma"
                .formatted(label)
            + " or lzop");
  }

  /// {@return what the first bytes look like; [#NONE] if like nothing known}
  ///
  /// Only a guess: two bytes tell zlib from other data, and one pair in a thousand looks like it;
  /// lzma has no magic bytes either. What [#isSure] is no guess.
  /// A skippable frame, which zstd and LZ4 share, counts as zstd.
  public static StreamKind sniff(MemorySegment first) {
    if (first.byteSize() >= 3
        && (at(first, 0) << 16 | at(first, 1) << 8 | at(first, 2)) == GZIP_MAGIC) {
      return GZIP;
    }
    if (first.byteSize() >= 4) {
      int word = at(first, 0) | at(first, 1) << 8 | at(first, 2) << 16 | at(first, 3) << 24;
      if (word == ZSTD_MAGIC || (word & ~0xf) == SKIPPABLE_MAGIC) {
        return ZSTD;
      }
      if (word == LZ4_MAGIC) {
        return LZ4;
      }
    }
    if (startsWith(first, 0, SNAPPY_MAGIC)) {
      return SNAPPY;
    }
    if (startsWith(first, 0, XZ_MAGIC)) {
      return XZ;
    }
    if (startsWith(first, 0, LZOP_MAGIC)) {
      return LZOP;
    }
    if (startsWith(first, 4, BZIP2_BLOCK) || startsWith(first, 4, BZIP2_END)) {
      boolean level = at(first, 3) >= '1' && at(first, 3) <= '9';
      if (level && at(first, 0) == 'B' && at(first, 1) == 'Z' && at(first, 2) == 'h') {
        return BZIP2;
      }
    }
    if (first.byteSize() >= 2) {
      int method = at(first, 0);
      boolean deflate = (method & 0xf) == 8 && method >>> 4 <= 7;
      if (deflate && (method << 8 | at(first, 1)) % 31 == 0) {
        return ZLIB;
      }
    }
    return isLzma(first) ? LZMA : NONE;
  }

  /// {@return whether the first bytes of such a stream are told from other data by magic bytes}
  public boolean isSure() {
    return this != ZLIB && this != LZMA;
  }

  /// {@return whether bytes may begin a .lzma file: properties, a dictionary as its writers make
  /// them, and a size that is not known or below 256 GiB}
  private static boolean isLzma(MemorySegment first) {
    if (first.byteSize() < 13 || at(first, 0) >= 9 * 5 * 5) {
      return false;
    }
    int dictionary = first.get(U32, 1);
    int low = Integer.lowestOneBit(dictionary);
    boolean usual = dictionary == low || dictionary == 3 * low || dictionary == -1;
    long size = first.get(U64, 5);
    return usual
        && Integer.compareUnsigned(dictionary, 1 << 12) >= 0
        && (size >>> 38 == 0 || size == -1);
  }

  private static boolean startsWith(MemorySegment bytes, long offset, byte[] magic) {
    if (bytes.byteSize() < offset + magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if (bytes.get(JAVA_BYTE, offset + i) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  private static int at(MemorySegment bytes, long index) {
    return bytes.get(JAVA_BYTE, index) & 0xff;
  }
}
