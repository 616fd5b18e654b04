package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.BANDS;
import static io.headrace.codec.jpeg.packed.PackedLayout.BAND_MASKS;
import static io.headrace.codec.jpeg.packed.PackedLayout.LONGS;

/// Makes coefficients one by one.
final class PlainBlockReader extends BlockReader {
  PlainBlockReader() {}

  @Override
  int next(int[] c, byte[] places) {
    long mask = tile.masks[block];
    c[0] = tile.means[block++];
    for (int band = 0; band < BANDS; band++) {
      long left = mask & BAND_MASKS[band];
      if (left != 0) {
        band(band, left, c, places);
      }
    }
    return 64 - Long.numberOfLeadingZeros(mask);
  }

  private void band(int band, long mask, int[] c, byte[] places) {
    byte[] classes = tile.classes[band];
    byte[] in = tile.data[band];
    int at = classAt[band];
    int bit = bitAt[band];
    for (long left = mask; left != 0; left &= left - 1) {
      int size = classes[at++];
      int value = (int) ((long) LONGS.get(in, bit >>> 3) >>> (bit & 7)) & ((1 << size) - 1);
      bit += size;
      c[places[Long.numberOfTrailingZeros(left) + 1]] = TileReader.signed(value, size);
    }
    classAt[band] = at;
    bitAt[band] = bit;
  }
}
