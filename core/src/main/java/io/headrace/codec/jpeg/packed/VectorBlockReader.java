package io.headrace.codec.jpeg.packed;

import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/// Puts the coefficients of a block in their places with vectors of 512 bits: its mask spreads
/// those that are there over the lanes of two vectors, in the order of the zigzag.
final class VectorBlockReader extends BlockReader {
  private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_512;

  VectorBlockReader() {}

  @Override
  void zigzag(long mask, short[] q, short[] c, int to) {
    int a0 = at[0];
    int a1 = at[1];
    int a2 = at[2];
    at[0] = a0 + Long.bitCount(mask & 0xff);
    at[1] = a1 + Long.bitCount(mask & 0xff_ff00);
    at[2] = a2 + Long.bitCount(mask >>> 24);
    if (mask >>> 24 == 0) {
      first(mask, tile.values[0], a0, tile.values[1], a1, q, c, to);
    } else {
      all(mask, tile.values[0], a0, tile.values[1], a1, tile.values[2], a2, q, c, to);
    }
  }

  private static void first(
      long mask, short[] v0, int a0, short[] v1, int a1, short[] q, short[] c, int to) {
    ShortVector.fromArray(SHORTS, v0, a0)
        .expand(VectorMask.fromLong(SHORTS, (mask & 0xff) << 1))
        .or(
            ShortVector.fromArray(SHORTS, v1, a1)
                .expand(VectorMask.fromLong(SHORTS, (mask & 0xff_ff00) << 1)))
        .mul(ShortVector.fromArray(SHORTS, q, 0))
        .intoArray(c, to);
  }

  private static void all(
      long mask,
      short[] v0,
      int a0,
      short[] v1,
      int a1,
      short[] v2,
      int a2,
      short[] q,
      short[] c,
      int to) {
    ShortVector.fromArray(SHORTS, v0, a0)
        .expand(VectorMask.fromLong(SHORTS, (mask & 0xff) << 1))
        .or(
            ShortVector.fromArray(SHORTS, v1, a1)
                .expand(VectorMask.fromLong(SHORTS, (mask & 0xff_ff00) << 1)))
        .or(
            ShortVector.fromArray(SHORTS, v2, a2)
                .expand(VectorMask.fromLong(SHORTS, (mask & 0x7f00_0000L) << 1)))
        .mul(ShortVector.fromArray(SHORTS, q, 0))
        .intoArray(c, to);
    ShortVector.fromArray(SHORTS, v2, a2 + Long.bitCount(mask & 0x7f00_0000L))
        .expand(VectorMask.fromLong(SHORTS, mask >>> 31))
        .mul(ShortVector.fromArray(SHORTS, q, 32))
        .intoArray(c, to + 32);
  }
}
