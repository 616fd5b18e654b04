package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.entropy.BlockRow;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// What the scans of a progressive picture ask of its coefficients before they look at one, if they
/// do: which have a magnitude of at least 1, 2 or 4, their signs and their next bits. Masks of a
/// block, bit k for the k-th of the zigzag; looked up once and used by all scans of coefficients
/// but the first of each block.
final class Magnitudes implements AutoCloseable {
  /// Masks of a block: magnitudes of at least 1, of at least 2, of at least 4, numbers below 0;
  /// then bit 0 of those of at least 2, and bit 1 of those of at least 4, the last one lowest.
  private static final int MASKS = 6;

  private static final int NEGATIVE = 3;
  private static final int NEXT = 4;

  private static final ValueLayout.OfLong MASK = ValueLayout.JAVA_LONG_UNALIGNED;

  private final Block block;
  private MemorySegment memory = MemorySegment.NULL;
  private long[] masks = new long[0];

  Magnitudes(MemoryBudget budget) {
    block = new Block(budget);
  }

  /// Looks at all blocks of a picture that do not only pad it.
  void of(JpegCoefficients picture) throws DecodeException {
    long blocks = 0;
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      blocks = Math.max(blocks, component.block(component.paddedRows(), 0) / Blocks.BYTES);
    }
    memory = block.ensure(MASKS * Long.BYTES * blocks);
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      room(component.columns());
      for (int row = 0; row < component.rows(); row++) {
        BlockRow from = picture.row(c, row);
        for (int column = 0; column < component.columns(); column++) {
          look(from, column);
        }
        MemorySegment.copy(
            masks, 0, memory, MASK, place(component, row), MASKS * component.columns());
      }
    }
  }

  private static long place(JpegComponent component, int row) {
    return component.block(row, 0) / Blocks.BYTES * MASKS * Long.BYTES;
  }

  private void room(int blocks) {
    if (masks.length < MASKS * blocks) {
      masks = new long[MASKS * blocks];
    }
  }

  private void look(BlockRow row, int column) {
    long mask = row.masks[column] & ~1L;
    int i = row.starts[column];
    long two = 0;
    long four = 0;
    long negative = 0;
    long zeroth = 0;
    long first = 0;
    for (long left = mask; left != 0; left &= left - 1) {
      long bit = left & -left;
      int value = row.values[++i];
      int size = Math.abs(value);
      int isTwo = (1 - size) >>> 31; // a branch would be a guess
      int isFour = (3 - size) >>> 31;
      two |= bit & -isTwo;
      four |= bit & -isFour;
      negative |= bit & value >> 31;
      zeroth = (zeroth << isTwo) | (size & isTwo);
      first = (first << isFour) | ((size >> 1) & isFour);
    }
    int at = MASKS * column;
    masks[at] = mask;
    masks[at + 1] = two;
    masks[at + 2] = four;
    masks[at + NEGATIVE] = negative;
    masks[at + NEXT] = zeroth;
    masks[at + NEXT + 1] = first;
  }

  /// Gets the masks of a row's blocks.
  void ready(JpegComponent component, int row) {
    room(component.columns());
    MemorySegment.copy(memory, MASK, place(component, row), masks, 0, MASKS * component.columns());
  }

  /// {@return the coefficients of a block of the row that is [#ready] whose magnitude is at least 2
  ///     to the power of `shift`, 0 to 2}
  long atLeast(int column, int shift) {
    return masks[MASKS * column + shift];
  }

  /// {@return those below 0}
  long negative(int column) {
    return masks[MASKS * column + NEGATIVE];
  }

  /// {@return bit `shift`, 0 or 1, of each whose magnitude is greater, the last one lowest}
  long next(int column, int shift) {
    return masks[MASKS * column + NEXT + shift];
  }

  @Override
  public void close() {
    block.close();
  }
}
