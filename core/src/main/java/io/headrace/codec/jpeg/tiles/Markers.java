package io.headrace.codec.jpeg.tiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Walks the marker segments of a JPEG up to its first scan (ITU-T T.81, annex B), and finds the
/// markers in coded data. A reusable cursor.
///
/// What lies between segments is skipped, as libjpeg does.
final class Markers {
  static final int SOF0 = 0xc0;
  static final int SOF1 = 0xc1;
  static final int DHT = 0xc4;
  static final int RST0 = 0xd0;
  static final int SOI = 0xd8;
  static final int EOI = 0xd9;
  static final int SOS = 0xda;
  static final int DQT = 0xdb;
  static final int DRI = 0xdd;
  static final int APP0 = 0xe0;
  static final int APP1 = 0xe1;
  static final int APP14 = 0xee;

  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long TOPS = 0x8080808080808080L;

  private MemorySegment jpeg = MemorySegment.NULL;

  /// Second byte of the marker that the cursor is at.
  private int marker;

  /// Where its content starts, behind the length, and ends.
  private long start;

  private long end;

  /// Moves in front of the first segment.
  void reset(MemorySegment jpeg) throws DecodeException {
    this.jpeg = jpeg;
    if (jpeg.byteSize() < 2 || u16(jpeg, 0) != (0xff00 | SOI)) {
      throw new DecodeException(Fault.MISMATCH, "jpeg: no start-of-image marker");
    }
    end = 2;
  }

  /// Moves to the next segment that has a length.
  ///
  /// @throws DecodeException with [Fault#TRUNCATED] if there is none, [Fault#CORRUPT] if the image
  ///     ends instead
  void next() throws DecodeException {
    long at = end;
    while (true) {
      need(at + 2);
      int first = u8(jpeg, at);
      int second = u8(jpeg, at + 1);
      if (first != 0xff || second == 0xff) {
        at++; // junk, or a fill byte
      } else if (second <= 0x01 || (second & 0xf8) == RST0) {
        at += 2; // stuffing, TEM or RSTn: they stand alone
      } else {
        marker = second;
        break;
      }
    }
    if (marker == EOI || marker == SOI) {
      throw new DecodeException(
          Fault.CORRUPT, "jpeg: ends before its first scan, at byte %d".formatted(at));
    }
    need(at + 4);
    start = at + 4;
    end = at + 2 + u16(jpeg, at + 2);
    if (end < start) {
      throw new DecodeException(
          Fault.CORRUPT, "jpeg: segment of less than 2 bytes, at byte %d".formatted(at));
    }
    need(end);
  }

  private void need(long bytes) throws DecodeException {
    if (bytes > jpeg.byteSize()) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "jpeg: header needs %d bytes, the data ends after %d".formatted(bytes, jpeg.byteSize()));
    }
  }

  int marker() {
    return marker;
  }

  boolean startOfFrame() {
    return marker == SOF0 || marker == SOF1;
  }

  long start() {
    return start;
  }

  long end() {
    return end;
  }

  /// {@return the first place from `at` on where a byte is 0xff, or `end`}
  ///
  /// Reads eight bytes at once: the bits of a word are inverted, and a byte is zero where
  /// subtracting one borrows from it. Mycroft's test, exact for the lowest such byte.
  static int find(MemorySegment bytes, int at, int end) {
    int i = at;
    for (; i + 31 < end; i += 32) {
      long a = ~bytes.get(LONG, i);
      long b = ~bytes.get(LONG, i + 8);
      long c = ~bytes.get(LONG, i + 16);
      long d = ~bytes.get(LONG, i + 24);
      long hits = ((a - ONES) & ~a) | ((b - ONES) & ~b) | ((c - ONES) & ~c) | ((d - ONES) & ~d);
      if ((hits & TOPS) != 0) {
        break;
      }
    }
    for (; i + 7 < end; i += 8) {
      long word = ~bytes.get(LONG, i);
      long hits = (word - ONES) & ~word & TOPS;
      if (hits != 0) {
        return i + (Long.numberOfTrailingZeros(hits) >> 3);
      }
    }
    while (i < end && u8(bytes, i) != 0xff) {
      i++;
    }
    return i;
  }

  static int u8(MemorySegment bytes, long at) {
    return bytes.get(JAVA_BYTE, at) & 0xff;
  }

  static int u16(MemorySegment bytes, long at) {
    return (u8(bytes, at) << 8) | u8(bytes, at + 1);
  }

  static void u16(MemorySegment bytes, long at, int value) {
    bytes.set(JAVA_BYTE, at, (byte) (value >> 8));
    bytes.set(JAVA_BYTE, at + 1, (byte) value);
  }
}
