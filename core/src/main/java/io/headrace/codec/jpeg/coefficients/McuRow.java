package io.headrace.codec.jpeg.coefficients;

import io.headrace.codec.jpeg.entropy.BlockRow;
import io.headrace.codec.jpeg.entropy.ScanHeader;

/// The blocks of a row of MCUs, in the order in which a scan of several components has them.
/// Reused.
final class McuRow {
  /// By block of an MCU: its component, its row, and where it stands there in the first MCU.
  final int[] components = new int[ScanHeader.MAX_BLOCKS];

  final BlockRow[] rows = new BlockRow[ScanHeader.MAX_BLOCKS];
  private final int[] places = new int[ScanHeader.MAX_BLOCKS];

  /// By block of an MCU: blocks of its component across the MCU, and columns of the picture's.
  private final int[] across = new int[ScanHeader.MAX_BLOCKS];

  private final int[] columns = new int[ScanHeader.MAX_BLOCKS];

  /// Blocks of an MCU.
  private int count;

  private int[] values = new int[0];

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
        places[count] = x;
        across[count] = component.horizontalFactor();
        columns[count] = at < component.rows() ? component.columns() : 0;
      }
    }
  }

  /// {@return the first coefficients of all blocks, MCU by MCU; valid until the next call}
  ///
  /// A block that only pads the picture has that of the component's block before.
  int[] firsts(int mcus) {
    if (values.length < mcus * count) {
      values = new int[mcus * count];
    }
    for (int b = 0; b < count; b++) {
      BlockRow row = rows[b];
      int place = places[b];
      int at = b;
      for (; at < mcus * count && place < columns[b]; at += count) {
        values[at] = row.first(place);
        place += across[b];
      }
      for (; at < mcus * count; at += count) {
        values[at] = values[at - 1]; // a component's first block of an MCU never only pads
      }
    }
    return values;
  }

  int count() {
    return count;
  }

  /// {@return the place of a block in its row; -1 if it only pads the picture}
  int place(int mcu, int block) {
    int place = mcu * across[block] + places[block];
    return place < columns[block] ? place : -1;
  }
}
