package io.headrace.codec.stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

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
  ZSTD;

  private static final int GZIP_MAGIC = 0x1f8b08;
  private static final int ZSTD_MAGIC = 0xfd2fb528;
  /// Skippable frames begin with one of sixteen numbers; RFC 8878, section 3.1.2.
  private static final int SKIPPABLE_MAGIC = 0x184d2a50;

  /// {@return the name users type: `none`, `zlib`, `gzip` or `zstd`}
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
        "unknown compression '%s': expected none, zlib, gzip or zstd".formatted(label));
  }

  /// {@return what the first bytes look like; [#NONE] if like nothing known}
  ///
  /// Only a guess: two bytes tell zlib from other data, and one pair in a thousand looks like it.
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
    }
    if (first.byteSize() >= 2) {
      int method = at(first, 0);
      boolean deflate = (method & 0xf) == 8 && method >>> 4 <= 7;
      if (deflate && (method << 8 | at(first, 1)) % 31 == 0) {
        return ZLIB;
      }
    }
    return NONE;
  }

  private static int at(MemorySegment bytes, long index) {
    return bytes.get(JAVA_BYTE, index) & 0xff;
  }
}
