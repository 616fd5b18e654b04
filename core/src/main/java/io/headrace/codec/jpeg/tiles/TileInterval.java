package io.headrace.codec.jpeg.tiles;

import io.headrace.codec.Subsampling;
import io.headrace.codec.jpeg.JpegHeader;

/// How many MCUs wide tiles are to be.
final class TileInterval {
  private TileInterval() {}

  /// {@return 4 where an MCU has 16 columns and rows, 8 where it has 8, as in 4:4:4 and grey}
  static int target(JpegHeader header) {
    Subsampling sampling = header.subsampling();
    return sampling == Subsampling.S444 || sampling == Subsampling.GRAY ? 8 : 4;
  }

  /// {@return the interval nearest to `target`, from 0.75 to 1.25 of it, that divides the MCUs of
  ///     a row; if none does, the one with the least padding}
  ///
  /// @param width columns of the picture, in pixels
  /// @param mcuWidth columns of an MCU, in pixels
  /// @param target MCUs, at least 1
  static int choose(int width, int mcuWidth, int target) {
    int columns = Math.ceilDiv(width, mcuWidth);
    int low = Math.ceilDiv(3 * target, 4);
    if (columns <= low) {
      return columns;
    }
    int best = columns;
    int least = Integer.MAX_VALUE;
    for (int interval = low; interval <= 5 * target / 4 || least == Integer.MAX_VALUE; interval++) {
      int padding = Math.ceilDiv(columns, interval) * interval - columns;
      int tile = interval * mcuWidth;
      int tail = width - (Math.ceilDiv(width, tile) - 1) * tile;
      if (padding > 0 && tail < TouchedTiles.MIN_EDGE) {
        continue;
      }
      int badness = 1024 * padding + 2 * Math.abs(interval - target) + (interval > target ? 1 : 0);
      if (badness < least) {
        least = badness;
        best = interval;
      }
    }
    return best;
  }
}
