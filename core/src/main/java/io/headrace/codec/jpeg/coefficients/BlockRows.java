package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.entropy.BlockRow;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.util.Arrays;

/// The blocks of a picture, row by row, with the rows at hand that were asked for last. Reused.
final class BlockRows implements AutoCloseable {
  /// Rows of a component that are at hand: those of a row of MCUs.
  private static final int AT_HAND = 4;

  private final Block block;

  /// By component: offset of each row, and the end of the last one that was added.
  private final long[][] offsets = new long[4][1];

  /// By component: its rows, and blocks in each.
  private final int[] counts = new int[4];

  private final int[] widths = new int[4];

  /// By component: rows that are at hand, and which they are.
  private final BlockRow[][] rows = new BlockRow[4][AT_HAND];

  private final int[][] numbers = new int[4][AT_HAND];
  private long size;

  BlockRows(MemoryBudget budget) {
    block = new Block(budget);
    for (BlockRow[] of : rows) {
      Arrays.setAll(of, _ -> new BlockRow());
    }
  }

  void clear() {
    size = 0;
    Arrays.fill(counts, 0);
    for (int[] of : numbers) {
      Arrays.fill(of, -1);
    }
  }

  /// Adds a component's next row.
  void add(int component, BlockRow row) throws DecodeException {
    int count = counts[component]++;
    if (count == offsets[component].length) {
      offsets[component] = Arrays.copyOf(offsets[component], 2 * count);
    }
    offsets[component][count] = size;
    widths[component] = row.blocks();
    long end = size + row.bytes();
    row.store(block.ensureKeeping(end), size);
    size = end;
  }

  /// {@return a component's row, until another is asked for that is a multiple of four away}
  BlockRow row(int component, int row) {
    int slot = row % AT_HAND;
    BlockRow found = rows[component][slot];
    if (numbers[component][slot] != row) {
      if (row >= counts[component]) {
        throw new IndexOutOfBoundsException("row " + row + " of " + counts[component]);
      }
      found.load(block.memory(), offsets[component][row], widths[component]);
      numbers[component][slot] = row;
    }
    return found;
  }

  @Override
  public void close() {
    block.close();
  }
}
