package io.headrace.codec.jpeg.coefficients;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Which coefficients of each block have a magnitude of at least 1, 2 or 4: all that the scans of a
/// progressive picture ask before they look at a coefficient. Three masks a block, bit k for the
/// k-th of the zigzag; looked up once and used by five scans.
final class Magnitudes implements AutoCloseable {
  /// Masks of a block.
  private static final int MASKS = 3;

  private static final ValueLayout.OfLong MASK = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final long ONE = 0x0001_0001_0001_0001L;
  private static final long TOP = 0x8000_8000_8000_8000L;

  private final BlockRow blocks = new BlockRow();
  private final Block block;
  private MemorySegment masks = MemorySegment.NULL;

  Magnitudes(MemoryBudget budget) {
    block = new Block(budget);
  }

  /// Looks at all blocks of a picture that do not only pad it.
  void of(JpegCoefficients picture) throws DecodeException {
    long bytes = 0;
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      bytes = Math.max(bytes, component.block(component.paddedRows(), 0));
    }
    masks = block.ensure(place(bytes, 0));
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      for (int row = 0; row < component.rows(); row++) {
        blocks.load(picture.planes(), component.block(row, 0), component.columns());
        for (int column = 0; column < component.columns(); column++) {
          look(BlockRow.LONGS * column, component.block(row, column));
        }
      }
    }
  }

  private static long place(long block, int shift) {
    return block / Blocks.BYTES * MASKS * Long.BYTES + (long) shift * Long.BYTES;
  }

  private void look(int at, long block) {
    long one = 0;
    long two = 0;
    long four = 0;
    for (int i = 0; i < BlockRow.LONGS; i++) {
      long lanes = blocks.four(at + i);
      if (lanes != 0) {
        long negative = (lanes >>> 15) & ONE;
        long size = (lanes ^ (negative * 0xffff)) + negative; // the magnitude of each lane
        one |= Blocks.gather(size + ONE * 0x7fff & TOP) << (4 * i);
        two |= Blocks.gather(size + ONE * 0x7ffe & TOP) << (4 * i);
        four |= Blocks.gather(size + ONE * 0x7ffc & TOP) << (4 * i);
      }
    }
    masks.set(MASK, place(block, 0), one);
    masks.set(MASK, place(block, 1), two);
    masks.set(MASK, place(block, 2), four);
  }

  /// {@return the coefficients of a block whose magnitude is at least 2 to the power of `shift`, 0
  ///     to 2}
  long atLeast(long block, int shift) {
    return masks.get(MASK, place(block, shift));
  }

  @Override
  public void close() {
    block.close();
  }
}
