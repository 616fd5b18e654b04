package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.entropy.Tokens;
import java.lang.foreign.MemorySegment;

/// Some blocks on the heap, where each coefficient is reached without the checks that memory off
/// the heap takes. Reused.
final class BlockRow {
  /// Numbers of a block.
  static final int LONGS = Blocks.SIZE / 4;

  /// The blocks as they lie in memory: see [Blocks].
  private long[] blocks = new long[0];

  BlockRow() {}

  /// Makes room, and forgets what is there.
  void room(int count) {
    if (blocks.length < LONGS * count) {
      blocks = new long[LONGS * count];
    }
  }

  /// Takes blocks from `start` on.
  void load(MemorySegment planes, long start, int count) {
    room(count);
    MemorySegment.copy(planes, Blocks.LONG, start, blocks, 0, LONGS * count);
  }

  /// Puts the first blocks to `start`.
  void store(MemorySegment planes, long start, int count) {
    MemorySegment.copy(blocks, 0, planes, Blocks.LONG, start, LONGS * count);
  }

  /// {@return the coefficients of a block that are not 0: bit k for the k-th of the zigzag}
  ///
  /// @param at block times [#LONGS]
  long nonzero(int at) {
    long[] from = blocks;
    long mask = 0;
    for (int i = 0; i < LONGS; i++) {
      mask |= Blocks.nonzero(from[at + i]) << (4 * i);
    }
    return mask;
  }

  /// {@return the k-th coefficient of the zigzag}
  int value(int at, int k) {
    return (short) (blocks[at + (k >> 2)] >> (16 * k));
  }

  /// {@return four coefficients, as they lie in memory}
  long four(int index) {
    return blocks[index];
  }

  /// Appends the symbols of a block's coefficients but the first.
  ///
  /// @param which of them are not 0
  /// @return index of the last one, or 0
  int symbols(int at, long which, Tokens to, int slot) {
    return to.coefficients(slot, blocks, at, which);
  }

  /// Writes a block.
  ///
  /// @param zigzag its coefficients
  /// @param last index of the last one that is not 0
  void put(int at, int[] zigzag, int last) {
    long[] to = blocks;
    int i = 0;
    for (; 4 * i <= last; i++) {
      to[at + i] = four(zigzag, 4 * i);
    }
    for (; i < LONGS; i++) {
      to[at + i] = 0;
    }
  }

  /// {@return whether a block is that one}
  boolean is(int at, int[] zigzag, int last) {
    long[] there = blocks;
    long other = 0;
    int i = 0;
    for (; 4 * i <= last; i++) {
      other |= there[at + i] ^ four(zigzag, 4 * i);
    }
    for (; i < LONGS; i++) {
      other |= there[at + i];
    }
    return other == 0;
  }

  private static long four(int[] zigzag, int k) {
    return (zigzag[k] & 0xffffL)
        | (zigzag[k + 1] & 0xffffL) << 16
        | (zigzag[k + 2] & 0xffffL) << 32
        | (long) zigzag[k + 3] << 48;
  }
}
