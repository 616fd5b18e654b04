package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Tags around sound that are no part of it: ID3v2 before, ID3v1 and APE behind.
final class Id3 {
  /// Bytes of an ID3v2 header, and of its footer.
  private static final int HEADER = 10;

  /// Bytes of an ID3v1 tag, which starts with `TAG`.
  private static final int V1 = 128;

  /// Bytes of an APEv2 footer, and of its header.
  private static final int APE = 32;

  private Id3() {}

  /// {@return where the ID3v2 tags end that `bytes` start with: 0 if there are none, at most the
  ///     size of `bytes`}
  ///
  /// The size is four bytes of seven bits and leaves out header and footer. Source: ID3v2.4.0, 3.1.
  static long end(MemorySegment bytes) {
    long at = 0;
    while (bytes.byteSize() - at >= HEADER && AudioFormat.starts(bytes, at, "ID3")) {
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
  static long trailer(MemorySegment bytes, long from) {
    long end = bytes.byteSize();
    if (end - from >= V1 && AudioFormat.starts(bytes, end - V1, "TAG")) {
      end -= V1;
    }
    if (end - from >= APE && AudioFormat.starts(bytes, end - APE, "APETAGEX")) {
      long size = 0; // of items and footer, little-endian
      for (int i = 15; i >= 12; i--) {
        size = (size << 8) | (bytes.get(JAVA_BYTE, end - APE + i) & 0xff);
      }
      boolean header = bytes.get(JAVA_BYTE, end - APE + 23) < 0;
      long whole = size + (header ? APE : 0);
      if (size >= APE && whole <= end - from) {
        end -= whole;
      }
    }
    return end;
  }
}
