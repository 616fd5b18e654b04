package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.BANDS;
import static io.headrace.codec.jpeg.packed.PackedLayout.BAND_MASKS;

/// Puts the coefficients of a tile that was read in their places, block after block. Confined to
/// one thread, and reused. `VectorBlockReader` does the same with vectors.
class BlockReader {
  TileReader tile = new TileReader();

  /// By band: the next coefficient.
  final int[] at = new int[BANDS];

  /// The next block.
  int block;

  BlockReader() {}

  /// Goes to the first block of the tile that was read.
  final void start(TileReader from) {
    tile = from;
    block = 0;
    at[0] = 0;
    at[1] = 0;
    at[2] = 0;
  }

  /// Goes to the first block that is not of the first component.
  final void second() {
    System.arraycopy(tile.secondClass, 0, at, 0, BANDS);
  }

  /// Reads the next block.
  ///
  /// @param c takes its coefficients, zeros before
  /// @param places in `c` of each coefficient of the zigzag
  /// @return index in the zigzag of the last one that is not 0
  final int next(int[] c, byte[] places) {
    long mask = tile.masks[block];
    c[places[0]] = tile.means[block++];
    for (int band = 0; band < BANDS; band++) {
      short[] values = tile.values[band];
      int i = at[band];
      for (long left = mask & BAND_MASKS[band]; left != 0; left &= left - 1) {
        c[places[Long.numberOfTrailingZeros(left) + 1]] = values[i++];
      }
      at[band] = i;
    }
    return 64 - Long.numberOfLeadingZeros(mask);
  }

  /// Copies the next block's coefficients that are not 0, but for the first: all that
  /// `tile.masks` says.
  ///
  /// @param to takes them in the order of the zigzag, and up to 16 more numbers
  /// @return where they end
  final int copy(short[] to, int start) {
    long mask = tile.masks[block++];
    int end = start;
    for (int band = 0; band < BANDS; band++) {
      int count = Long.bitCount(mask & BAND_MASKS[band]);
      short[] values = tile.values[band];
      int from = at[band];
      for (int i = 0; i < count; i += 8) {
        for (int k = 0; k < 8; k++) { // eight at once, for how many there are nobody foresees
          to[end + i + k] = values[from + i + k];
        }
      }
      at[band] = from + count;
      end += count;
    }
    return end;
  }

  /// Passes over some blocks.
  final void skip(int count) {
    for (int end = block + count; block < end; block++) {
      long mask = tile.masks[block];
      at[0] += Long.bitCount(mask & BAND_MASKS[0]);
      at[1] += Long.bitCount(mask & BAND_MASKS[1]);
      at[2] += Long.bitCount(mask & BAND_MASKS[2]);
    }
  }

  /// Reads all coefficients of the next block but the first, times their factors.
  ///
  /// @param mask of the block
  /// @param q factors in the order of the zigzag; products fit 16 bits
  /// @param c takes them in this order from `to` on: 64, or, where all later ones are 0, 32; the
  ///     first is 0
  void zigzag(long mask, short[] q, short[] c, int to) {
    java.util.Arrays.fill(c, to, to + 64, (short) 0);
    for (int band = 0; band < BANDS; band++) {
      short[] values = tile.values[band];
      int i = at[band];
      for (long left = mask & BAND_MASKS[band]; left != 0; left &= left - 1) {
        int k = Long.numberOfTrailingZeros(left) + 1;
        c[to + k] = (short) (values[i++] * q[k]);
      }
      at[band] = i;
    }
  }
}
