package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Reads the orientation from an EXIF block: TIFF 6.0, first directory, tag 0x0112, one SHORT.
///
/// Never fails: metadata that makes no sense says nothing about the pixels.
public final class ExifOrientation {
  /// No rotation: also what is assumed where nothing is said.
  public static final int NORMAL = 1;

  private static final int TAG = 0x0112;
  private static final int SHORT = 3;
  private static final int ENTRY = 12;

  private ExifOrientation() {}

  /// {@return the orientation, 1 to 8; 1 if there is none or it makes no sense}
  ///
  /// @param bytes where the block lies in
  /// @param start of the TIFF header, that is after `Exif\0\0`
  /// @param end of the block, exclusive
  public static int read(MemorySegment bytes, long start, long end) {
    if (end - start < 8) {
      return NORMAL;
    }
    int order = u16(bytes, start, true);
    boolean big = order == 0x4d4d; // MM
    if ((!big && order != 0x4949) || u16(bytes, start + 2, big) != 42) {
      return NORMAL;
    }
    long directory = start + u32(bytes, start + 4, big);
    if (directory + 2 > end) {
      return NORMAL;
    }
    int entries = u16(bytes, directory, big);
    for (int i = 0; i < entries; i++) {
      long entry = directory + 2 + (long) ENTRY * i;
      if (entry + ENTRY > end) {
        return NORMAL;
      }
      if (u16(bytes, entry, big) == TAG) {
        int value = u16(bytes, entry + 8, big);
        boolean sound = u16(bytes, entry + 2, big) == SHORT && value >= 1 && value <= 8;
        return sound ? value : NORMAL;
      }
    }
    return NORMAL;
  }

  private static int u16(MemorySegment bytes, long at, boolean big) {
    int a = bytes.get(JAVA_BYTE, at) & 0xff;
    int b = bytes.get(JAVA_BYTE, at + 1) & 0xff;
    return big ? (a << 8) | b : (b << 8) | a;
  }

  private static long u32(MemorySegment bytes, long at, boolean big) {
    long a = u16(bytes, at, big);
    long b = u16(bytes, at + 2, big);
    return big ? (a << 16) | b : (b << 16) | a;
  }
}
