package io.headrace.tensor.payload;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import java.lang.foreign.MemorySegment;

/// Byte planes: all lowest bytes of the words, then all second ones, and so on.
final class Shuffle {
  private Shuffle() {}

  /// Splits words.
  ///
  /// @param words `count` words of `width` bytes
  /// @param planes takes `width` planes of `count` bytes, one after the other
  static void split(MemorySegment words, long count, int width, MemorySegment planes) {
    if (width == 1) {
      MemorySegment.copy(words, 0, planes, 0, count);
      return;
    }
    long i = 0;
    if (width == 4) {
      for (; i + 8 <= count; i += 8) {
        split4(words, count, planes, i);
      }
    }
    for (; i < count; i++) {
      for (int k = 0; k < width; k++) {
        planes.set(Words.U8, k * count + i, words.get(Words.U8, i * width + k));
      }
    }
  }

  /// Eight words of four bytes, as an 8 x 4 transposition in registers.
  private static void split4(MemorySegment words, long count, MemorySegment planes, long i) {
    long a = words.get(U64, 4 * i);
    long b = words.get(U64, 4 * i + 8);
    long c = words.get(U64, 4 * i + 16);
    long d = words.get(U64, 4 * i + 24);
    long low = gather(a) | gather(b) << 16; // bytes 0 of four words, then bytes 2
    long low2 = gather(c) | gather(d) << 16;
    long high = gather(a >>> 8) | gather(b >>> 8) << 16;
    long high2 = gather(c >>> 8) | gather(d >>> 8) << 16;
    planes.set(U64, i, (low & 0xffffffffL) | low2 << 32);
    planes.set(U64, count + i, (high & 0xffffffffL) | high2 << 32);
    planes.set(U64, 2 * count + i, low >>> 32 | (low2 & 0xffffffff00000000L));
    planes.set(U64, 3 * count + i, high >>> 32 | (high2 & 0xffffffff00000000L));
  }

  /// {@return bytes 0 and 4 of two words side by side at the bottom, bytes 2 and 6 at byte 4}
  private static long gather(long two) {
    long even = two & 0x00ff00ff00ff00ffL;
    // byte 0 stays, byte 4 moves to 1, byte 2 to 4, byte 6 to 5
    return (even & 0xff)
        | (even >>> 24 & 0xff00)
        | (even & 0xff0000) << 16
        | (even >>> 8 & 0xff0000000000L);
  }

  /// Undoes [#split].
  static void join(MemorySegment planes, long count, int width, MemorySegment words) {
    if (width == 1) {
      MemorySegment.copy(planes, 0, words, 0, count);
      return;
    }
    long i = 0;
    if (width == 4) {
      for (; i + 4 <= count; i += 4) {
        join4(planes, count, words, i);
      }
    }
    for (; i < count; i++) {
      for (int k = 0; k < width; k++) {
        words.set(Words.U8, i * width + k, planes.get(Words.U8, k * count + i));
      }
    }
  }

  private static void join4(MemorySegment planes, long count, MemorySegment words, long i) {
    int a = planes.get(U32, i);
    int b = planes.get(U32, count + i);
    int c = planes.get(U32, 2 * count + i);
    int d = planes.get(U32, 3 * count + i);
    long low = spread(a) | spread(b) << 8; // words of two bytes: 0 and 1 of each
    long high = spread(c) | spread(d) << 8;
    words.set(U64, 4 * i, pair(low) | pair(high) << 16);
    words.set(U64, 4 * i + 8, pair(low >>> 32) | pair(high >>> 32) << 16);
  }

  /// {@return the four bytes, each at the bottom of two}
  private static long spread(int four) {
    long wide = four & 0xffffffffL;
    wide = (wide | wide << 16) & 0x0000ffff0000ffffL;
    return (wide | wide << 8) & 0x00ff00ff00ff00ffL;
  }

  /// {@return the two lowest pairs of bytes, each at the bottom of four}
  private static long pair(long pairs) {
    long two = pairs & 0xffffffffL;
    return (two | two << 16) & 0x0000ffff0000ffffL;
  }
}
