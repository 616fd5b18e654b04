package io.headrace.codec.jpeg.tiles;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;

/// The tiles of a picture that decoding a region takes, upsampling included: a reusable holder.
///
/// Tiles depend on each other only where chroma is upsampled, by one sample to each side. So the
/// region is widened by one pixel of the scaled picture. Tiles are whole blocks, so they start at
/// whole pixels of any scale.
public final class TouchedTiles {
  /// libjpeg-turbo upsamples images of fewer columns more plainly (`jinit_upsampler`).
  private static final int MIN_COLUMNS = 5;

  /// Pixels along one side that make the scale of a part unambiguous.
  static final int MIN_EDGE = 8;

  private int row;
  private int rows;
  private int column;
  private int columns;

  /// An empty holder.
  public TouchedTiles() {}

  /// Chooses tiles.
  ///
  /// @param height rows of the picture, in pixels
  /// @param width columns of the picture, in pixels
  /// @param tileHeight rows of a tile, in pixels, a multiple of 8
  /// @param tileWidth columns of a tile, in pixels, a multiple of 8
  /// @param region in pixels of the picture at `scale`
  public void choose(
      int height, int width, int tileHeight, int tileWidth, Region region, JpegScale scale) {
    int m = scale.eighths();
    int scaledTile = tileWidth * m / 8;
    int scaledRows = tileHeight * m / 8;
    row = Math.max(0, region.top() - 1) / scaledRows;
    column = Math.max(0, region.left() - 1) / scaledTile;
    int lastRow = Math.min(scale.scaled(height) - 1, region.top() + region.height()) / scaledRows;
    int end = scale.scaled(width);
    int lastColumn = Math.min(end - 1, region.left() + region.width()) / scaledTile;
    while (Math.min(end, (lastColumn + 1) * scaledTile) - column * scaledTile < MIN_COLUMNS) {
      if (column > 0) {
        column--;
      } else if ((lastColumn + 1) * tileWidth < width) {
        lastColumn++;
      } else {
        break; // as narrow as the whole image
      }
    }
    // A smaller part might be decoded at another scale that gives as many pixels: see JpegDecoder.
    if (row > 0 && height - row * tileHeight < MIN_EDGE) {
      row--;
    }
    if (row == 0 && height < MIN_EDGE && column > 0 && width - column * tileWidth < MIN_EDGE) {
      column--;
    }
    rows = lastRow - row + 1;
    columns = lastColumn - column + 1;
  }

  /// {@return the first one, from the top}
  public int row() {
    return row;
  }

  /// {@return how many below each other}
  public int rows() {
    return rows;
  }

  /// {@return the first one, from the left}
  public int column() {
    return column;
  }

  /// {@return how many side by side}
  public int columns() {
    return columns;
  }
}
