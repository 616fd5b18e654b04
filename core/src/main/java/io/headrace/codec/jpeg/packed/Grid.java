package io.headrace.codec.jpeg.packed;

import io.headrace.codec.jpeg.coefficients.JpegCoefficients;
import io.headrace.codec.jpeg.coefficients.JpegComponent;

/// How the blocks of a picture lie in tiles.
///
/// @param single whether there is but one component, whose MCUs are its blocks
/// @param columns of MCUs
/// @param rows of MCUs
/// @param tileColumns MCUs of a tile, across
/// @param tileRows MCUs of a tile, down
record Grid(boolean single, int columns, int rows, int tileColumns, int tileRows) {
  /// Pixels of a tile, across and down, where the caller does not say.
  private static final int USUAL_PIXELS = 64;

  /// {@return the grid of a picture}
  ///
  /// @param wanted MCUs of a tile, across; 0 for the usual number
  static Grid of(JpegCoefficients picture, int wanted) {
    boolean single = picture.components() == 1;
    int columns = single ? picture.component(0).columns() : picture.mcuColumns();
    int rows = single ? picture.component(0).rows() : picture.mcuRows();
    int blocks = 0;
    for (int c = 0; c < picture.components(); c++) {
      JpegComponent component = picture.component(c);
      blocks += single ? 1 : component.horizontalFactor() * component.verticalFactor();
    }
    int most = PackedLayout.MAX_BLOCKS / blocks;
    int mcuWidth = 8;
    int mcuHeight = 8;
    for (int c = 0; c < picture.components() && !single; c++) {
      mcuWidth = Math.max(mcuWidth, 8 * picture.component(c).horizontalFactor());
      mcuHeight = Math.max(mcuHeight, 8 * picture.component(c).verticalFactor());
    }
    int across = Math.min(columns, wanted == 0 ? USUAL_PIXELS / mcuWidth : wanted);
    int down = Math.min(wanted == 0 ? USUAL_PIXELS / mcuHeight : wanted, most / across);
    return new Grid(single, columns, rows, across, Math.min(rows, down));
  }

  int across() {
    return Math.ceilDiv(columns, tileColumns);
  }

  int tiles() {
    return across() * Math.ceilDiv(rows, tileRows);
  }

  int firstRow(JpegComponent component, int tile) {
    return tile * tileRows * (single ? 1 : component.verticalFactor());
  }

  int lastRow(JpegComponent component, int tile) {
    return Math.min(rows, (tile + 1) * tileRows) * (single ? 1 : component.verticalFactor());
  }

  int firstColumn(JpegComponent component, int tile) {
    return tile * tileColumns * (single ? 1 : component.horizontalFactor());
  }

  int lastColumn(JpegComponent component, int tile) {
    return Math.min(columns, (tile + 1) * tileColumns)
        * (single ? 1 : component.horizontalFactor());
  }
}
