package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.entropy.BlockRow;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// How blocks lie in memory: 64 coefficients of int16, little endian, in zigzag order.
final class Blocks {
  /// Coefficients of a block.
  static final int SIZE = 64;

  /// Bytes of a block.
  static final int BYTES = 2 * SIZE;

  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long LOW = 0x7fff_7fff_7fff_7fffL;

  /// Brings bits 0, 16, 32 and 48 to 48 and after it.
  private static final long SIDE_BY_SIDE = 1L << 48 | 1L << 33 | 1L << 18 | 1L << 3;

  private Blocks() {}

  /// Takes a row of blocks.
  ///
  /// @param start of the first one
  /// @param row takes them
  /// @param coefficients takes all of them for a while
  static void take(
      MemorySegment planes, long start, int count, BlockRow row, short[] coefficients) {
    MemorySegment.copy(planes, SHORT, start, coefficients, 0, SIZE * count);
    row.clear(count);
    for (int i = 0; i < count; i++) {
      row.add(nonzero(planes, start + (long) BYTES * i) | 1, coefficients, SIZE * i);
    }
  }

  /// {@return the block's coefficients that are not 0: bit k for the k-th of the zigzag}
  static long nonzero(MemorySegment planes, long block) {
    long mask = 0;
    for (int i = 0; i < SIZE / 4; i++) {
      mask |= nonzero(planes.get(LONG, block + 8L * i)) << (4 * i); // a branch would be a guess
    }
    return mask;
  }

  /// {@return which of four coefficients are not 0, as bits 0 to 3}
  private static long nonzero(long four) {
    long tops = (((four & LOW) + LOW) | four) & ~LOW;
    return ((tops >>> 15) * SIDE_BY_SIDE) >>> 48 & 15;
  }

  /// {@return bits `first` to `last`}
  static long band(int first, int last) {
    return (-1L << first) & (-1L >>> (SIZE - 1 - last));
  }
}
