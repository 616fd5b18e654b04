package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.entropy.BlockRow;
import io.headrace.codec.jpeg.entropy.ScanHeader;

/// The blocks of a row of MCUs, in the order in which a scan of several components has them.
/// Reused.
final class McuRow {
  /// By block of an MCU: its component, its row, and where it stands there in the first MCU.
  final int[] components = new int[ScanHeader.MAX_BLOCKS];

  final BlockRow[] rows = new BlockRow[ScanHeader.MAX_BLOCKS];
  private final int[] firsts = new int[ScanHeader.MAX_BLOCKS];

  /// By block of an MCU: blocks of its component across the MCU, and columns of the picture's.
  private final int[] across = new int[ScanHeader.MAX_BLOCKS];

  private final int[] columns = new int[ScanHeader.MAX_BLOCKS];

  /// Blocks of an MCU.
  private int count;

  /// Goes to a row.
  void clear() {
    count = 0;
  }

  /// Adds a component.
  ///
  /// @param row of MCUs
  void add(JpegCoefficients picture, int c, int row) {
    JpegComponent component = picture.component(c);
    for (int y = 0; y < component.verticalFactor(); y++) {
      int at = row * component.verticalFactor() + y;
      for (int x = 0; x < component.horizontalFactor(); x++, count++) {
        components[count] = c;
        rows[count] = picture.row(c, at);
        firsts[count] = x;
        across[count] = component.horizontalFactor();
        columns[count] = at < component.rows() ? component.columns() : 0;
      }
    }
  }

  int count() {
    return count;
  }

  /// {@return the place of a block in its row; -1 if it only pads the picture}
  int place(int mcu, int block) {
    int place = mcu * across[block] + firsts[block];
    return place < columns[block] ? place : -1;
  }
}
