package io.headrace.codec.jpeg.entropy;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A row of blocks of coefficients, as what is not 0 in them. A reusable holder.
///
/// In memory: a mask for each block, then the coefficients that the masks name, int16, all in the
/// byte order of the machine.
public final class BlockRow {
  /// Coefficients of a block.
  public static final int SIZE = 64;

  /// By block: bit k for the k-th coefficient of the zigzag, if it is not 0; bit 0 in any case.
  public long[] masks = new long[0];

  /// By block: index of its first coefficient in [#values]; after the last one, their number.
  public int[] starts = new int[1];

  /// The coefficients that masks name, block by block.
  public short[] values = new short[0];

  private int blocks;

  /// Forgets what is there, and makes room.
  ///
  /// @param most blocks that are to come
  public void clear(int most) {
    blocks = 0;
    if (masks.length < most) {
      masks = new long[most];
      starts = new int[most + 1];
      values = new short[SIZE * (most + 1)]; // damaged data may have a few more
    }
  }

  /// {@return how many blocks there are}
  public int blocks() {
    return blocks;
  }

  /// {@return where the next block's coefficients begin}
  int next() {
    return starts[blocks];
  }

  /// Adds the block whose coefficients stand from [#next] on.
  void add(long mask) {
    masks[blocks++] = mask;
    starts[blocks] = starts[blocks - 1] + Long.bitCount(mask);
  }

  /// Adds a block.
  ///
  /// @param mask of its coefficients; bit 0 is set
  /// @param coefficients all 64, in the order of the zigzag, from `at` on
  public void add(long mask, short[] coefficients, int at) {
    int to = next();
    for (long left = mask; left != 0; left &= left - 1) {
      values[to++] = coefficients[at + Long.numberOfTrailingZeros(left)];
    }
    add(mask);
  }

  /// {@return the first coefficient of a block}
  public int first(int block) {
    return values[starts[block]];
  }

  /// {@return the k-th coefficient of the zigzag of a block}
  public short value(int block, int k) {
    long bit = 1L << k;
    return (masks[block] & bit) == 0 ? 0 : values[index(block, bit)];
  }

  /// {@return index in [#values] of a coefficient that is there}
  ///
  /// @param bit its bit in the mask
  public int index(int block, long bit) {
    return starts[block] + Long.bitCount(masks[block] & (bit - 1));
  }

  /// Counts the symbols of a block's coefficients but the first in a sequential scan (ITU-T T.81,
  /// F.1.2.2).
  ///
  /// @param counts by symbol
  public void count(int block, int[] counts) {
    int before = 0;
    int i = starts[block];
    for (long left = masks[block] & ~1L; left != 0; left &= left - 1) {
      int place = Long.numberOfTrailingZeros(left);
      int run = place - before - 1;
      before = place;
      counts[HuffmanCode.SIXTEEN_ZEROS] += run >> 4;
      int size = Integer.SIZE - Integer.numberOfLeadingZeros(Math.abs((int) values[++i]));
      counts[(run & 15) << 4 | size]++;
    }
    if (before < SIZE - 1) {
      counts[0]++;
    }
  }

  /// {@return whether the first blocks are those of another row}
  public boolean same(BlockRow other, int count) {
    int end = starts[count];
    return Arrays.equals(masks, 0, count, other.masks, 0, count)
        && Arrays.equals(values, 0, end, other.values, 0, end);
  }

  /// {@return bytes that [#store] takes}
  public long bytes() {
    return 8L * blocks + 2L * next();
  }

  /// Copies the row to memory.
  public void store(MemorySegment to, long at) {
    MemorySegment.copy(masks, 0, to, JAVA_LONG_UNALIGNED, at, blocks);
    MemorySegment.copy(values, 0, to, JAVA_SHORT_UNALIGNED, at + 8L * blocks, next());
  }

  /// Takes a row of so many blocks that was stored.
  public void load(MemorySegment from, long at, int count) {
    clear(count);
    MemorySegment.copy(from, JAVA_LONG_UNALIGNED, at, masks, 0, count);
    for (int i = 0; i < count; i++) {
      starts[i + 1] = starts[i] + Long.bitCount(masks[i]);
    }
    blocks = count;
    MemorySegment.copy(from, JAVA_SHORT_UNALIGNED, at + 8L * count, values, 0, next());
  }
}
