package io.headrace.sound.framing;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Tags around sound that are not part of it: ID3v2 before it, ID3v1, APE, Lyrics3 and ID3v2 after
/// it.
public final class Id3 {
  /// Bytes of an ID3v2 header, and of its footer.
  private static final int HEADER = 10;

  /// Bytes of an ID3v1 tag, which starts with `TAG`.
  private static final int V1 = 128;

  /// Bytes of an extended ID3v1 tag, which starts with `TAG+` and lies before ID3v1.
  private static final int V1_MORE = 227;

  /// Bytes of an APEv2 footer, and of its header.
  private static final int APE = 32;

  /// Bytes of the words that end a Lyrics3 tag, and of the size before them in version 2.
  private static final int LYRICS_END = 9;

  private static final int LYRICS_SIZE = 6;

  /// Bytes a Lyrics3 tag of version 1 can have, which says no size.
  private static final int MAX_LYRICS = 5100 + 11 + LYRICS_END;

  private Id3() {}

  /// {@return where the ID3v2 tags end that `bytes` start with: 0 if there are none, at most the
  ///     size of `bytes`}
  ///
  /// The size is four bytes of seven bits and leaves out header and footer. Source: ID3v2.4.0, 3.1.
  public static long end(MemorySegment bytes) {
    long at = 0;
    while (bytes.byteSize() - at >= HEADER && Magic.at(bytes, at, "ID3")) {
      long size = 0;
      for (int i = 6; i < HEADER; i++) {
        size = (size << 7) | (bytes.get(JAVA_BYTE, at + i) & 0x7f);
      }
      boolean footer = (bytes.get(JAVA_BYTE, at + 5) & 0x10) != 0;
      at += HEADER + size + (footer ? HEADER : 0);
    }
    return Math.min(at, bytes.byteSize());
  }

  /// {@return where the tags begin that `bytes` end with, not before `from`}
  public static long trailer(MemorySegment bytes, long from) {
    long end = bytes.byteSize();
    for (long tag = last(bytes, from, end); tag > 0; tag = last(bytes, from, end)) {
      end -= tag;
    }
    return end;
  }

  /// {@return bytes of the tag that ends at `end`, 0 if there is none}
  private static long last(MemorySegment bytes, long from, long end) {
    long left = end - from;
    long size = 0;
    if (left >= V1 && Magic.at(bytes, end - V1, "TAG")) {
      size = V1;
    } else if (left >= V1_MORE && Magic.at(bytes, end - V1_MORE, "TAG+")) {
      size = V1_MORE;
    } else if (left >= APE && Magic.at(bytes, end - APE, "APETAGEX")) {
      for (int i = 15; i >= 12; i--) { // items and footer, little-endian
        size = (size << 8) | (bytes.get(JAVA_BYTE, end - APE + i) & 0xff);
      }
      boolean header = bytes.get(JAVA_BYTE, end - APE + 23) < 0;
      size = size < APE ? 0 : size + (header ? APE : 0);
    } else if (left >= HEADER && Magic.at(bytes, end - HEADER, "3DI")) {
      for (int i = 4; i > 0; i--) {
        size = (size << 7) | (bytes.get(JAVA_BYTE, end - i) & 0x7f);
      }
      size += 2 * HEADER;
    } else if (left >= LYRICS_END && Magic.at(bytes, end - LYRICS_END, "LYRICS200")) {
      for (int i = LYRICS_SIZE; left >= LYRICS_END + LYRICS_SIZE && i > 0; i--) {
        size = 10 * size + bytes.get(JAVA_BYTE, end - LYRICS_END - i) - '0';
      }
      size += LYRICS_END + LYRICS_SIZE;
      return lyrics(bytes, end, size, left);
    } else if (left >= LYRICS_END && Magic.at(bytes, end - LYRICS_END, "LYRICSEND")) {
      size = 2 * LYRICS_END + 2;
      while (size < Math.min(left, MAX_LYRICS) && lyrics(bytes, end, size, left) == 0) {
        size++;
      }
      return lyrics(bytes, end, size, left);
    }
    return size <= left ? size : 0;
  }

  private static long lyrics(MemorySegment bytes, long end, long size, long left) {
    boolean there = size > 0 && size <= left && Magic.at(bytes, end - size, "LYRICSBEGIN");
    return there ? size : 0;
  }
}
