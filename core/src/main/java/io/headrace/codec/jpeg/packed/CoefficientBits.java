package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.LONGS;

/// Makes coefficients of their classes and bits, one by one. `VectorCoefficientBits` makes sixteen
/// at once.
class CoefficientBits {
  /// Reads coefficients.
  ///
  /// @param classes bits of each, up to 15; those after the last are 0
  /// @param sums of each sixteen of them up to each
  /// @param count how many
  /// @param in has the bits, and 64 bytes after them
  /// @param start of the first bit
  /// @param to takes them, and up to 15 more numbers
  /// @return the largest class
  int read(byte[] classes, byte[] sums, int count, byte[] in, int start, short[] to) {
    int bit = start;
    int largest = 0;
    for (int i = 0; i < count; i++) {
      int size = classes[i];
      int value = (int) ((long) LONGS.get(in, bit >>> 3) >>> (bit & 7)) & ((1 << size) - 1);
      bit += size;
      to[i] = (short) TileReader.signed(value, size);
      largest = Math.max(largest, size);
    }
    return largest;
  }
}
