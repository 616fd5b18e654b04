package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.NATURAL;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/// Puts the coefficients of two blocks in their places with vectors of 512 bits: the mask spreads
/// those that are there over lanes of the zigzag, and permutations bring these to natural order.
///
/// Lanes of the zigzag: the first vector has 0 to 8 and 57 to 63, the next ones 9 to 24, 25 to 40
/// and 41 to 56.
final class VectorBlockReader extends BlockReader {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
  private static final VectorMask<Integer> MEAN = VectorMask.fromLong(INTS, 1);

  /// For each two rows: lanes of the first and second vector; lanes of the third and fourth; and
  /// which of both count.
  private static final IntVector LOW_0;
  private static final IntVector LOW_1;
  private static final IntVector LOW_2;
  private static final IntVector LOW_3;
  private static final IntVector HIGH_0;
  private static final IntVector HIGH_1;
  private static final IntVector HIGH_2;
  private static final IntVector HIGH_3;
  private static final VectorMask<Integer> FROM_HIGH_0;
  private static final VectorMask<Integer> FROM_HIGH_1;
  private static final VectorMask<Integer> FROM_HIGH_2;
  private static final VectorMask<Integer> FROM_HIGH_3;

  /// The first rows of two blocks side by side, and the second ones.
  private static final IntVector UPPER = halves(0);

  private static final IntVector LOWER = halves(8);

  static {
    long[] masks = new long[4];
    int[][] low = new int[4][16];
    int[][] high = new int[4][16];
    for (int k = 0; k < 64; k++) {
      int rows = NATURAL[k] / 16;
      int lane = NATURAL[k] % 16;
      if (k < 9 || k > 56) {
        low[rows][lane] = k < 9 ? k : k - 48;
      } else if (k < 25) {
        low[rows][lane] = 16 + k - 9;
      } else {
        high[rows][lane] = k - 25; // 0 to 31: of both
        masks[rows] |= 1L << lane;
      }
    }
    LOW_0 = IntVector.fromArray(INTS, low[0], 0);
    LOW_1 = IntVector.fromArray(INTS, low[1], 0);
    LOW_2 = IntVector.fromArray(INTS, low[2], 0);
    LOW_3 = IntVector.fromArray(INTS, low[3], 0);
    HIGH_0 = IntVector.fromArray(INTS, high[0], 0);
    HIGH_1 = IntVector.fromArray(INTS, high[1], 0);
    HIGH_2 = IntVector.fromArray(INTS, high[2], 0);
    HIGH_3 = IntVector.fromArray(INTS, high[3], 0);
    FROM_HIGH_0 = VectorMask.fromLong(INTS, masks[0]);
    FROM_HIGH_1 = VectorMask.fromLong(INTS, masks[1]);
    FROM_HIGH_2 = VectorMask.fromLong(INTS, masks[2]);
    FROM_HIGH_3 = VectorMask.fromLong(INTS, masks[3]);
  }

  VectorBlockReader() {}

  private static IntVector halves(int from) {
    int[] lanes = new int[16];
    for (int i = 0; i < 8; i++) {
      lanes[i] = from + i;
      lanes[8 + i] = 16 + from + i;
    }
    return IntVector.fromArray(INTS, lanes, 0);
  }

  @Override
  boolean two(int[] c) {
    long first = tile.masks[block];
    long second = tile.masks[block + 1];
    int[] means = tile.means;
    int[] v0 = tile.values[0];
    int[] v1 = tile.values[1];
    int[] v2 = tile.values[2];
    int a0 = at[0];
    int a1 = at[1];
    int a2 = at[2];
    int b0 = a0 + Long.bitCount(first & 0xff);
    int b1 = a1 + Long.bitCount(first & 0xffff00);
    int b2 = a2 + Long.bitCount(first >>> 24);
    at[0] = b0 + Long.bitCount(second & 0xff);
    at[1] = b1 + Long.bitCount(second & 0xffff00);
    at[2] = b2 + Long.bitCount(second >>> 24);
    if ((first | second) == 0) {
      c[0] = means[block];
      c[8] = means[block + 1];
    } else if ((first | second) >>> 24 == 0) {
      low(first, means[block], v0, a0, v1, a1, second, means[block + 1], b0, b1, c);
    } else {
      all(first, means[block], v0, a0, v1, a1, v2, a2, second, means[block + 1], b0, b1, b2, c);
    }
    block += 2;
    return (first | second) != 0;
  }

  private static void low(
      long first,
      int meanA,
      int[] v0,
      int a0,
      int[] v1,
      int a1,
      long second,
      int meanB,
      int b0,
      int b1,
      int[] c) {
    IntVector g0 =
        IntVector.fromArray(INTS, v0, a0)
            .expand(VectorMask.fromLong(INTS, (first & 0xff) << 1))
            .blend(meanA, MEAN);
    IntVector g1 =
        IntVector.fromArray(INTS, v1, a1).expand(VectorMask.fromLong(INTS, first >>> 8 & 0xffff));
    IntVector h0 =
        IntVector.fromArray(INTS, v0, b0)
            .expand(VectorMask.fromLong(INTS, (second & 0xff) << 1))
            .blend(meanB, MEAN);
    IntVector h1 =
        IntVector.fromArray(INTS, v1, b1).expand(VectorMask.fromLong(INTS, second >>> 8 & 0xffff));
    IntVector a01 = LOW_0.selectFrom(g0, g1).blend(0, FROM_HIGH_0);
    IntVector b01 = LOW_0.selectFrom(h0, h1).blend(0, FROM_HIGH_0);
    UPPER.selectFrom(a01, b01).intoArray(c, 0);
    LOWER.selectFrom(a01, b01).intoArray(c, 16);
    IntVector a23 = LOW_1.selectFrom(g0, g1).blend(0, FROM_HIGH_1);
    IntVector b23 = LOW_1.selectFrom(h0, h1).blend(0, FROM_HIGH_1);
    UPPER.selectFrom(a23, b23).intoArray(c, 32);
    LOWER.selectFrom(a23, b23).intoArray(c, 48);
    IntVector a45 = LOW_2.selectFrom(g0, g1).blend(0, FROM_HIGH_2);
    IntVector b45 = LOW_2.selectFrom(h0, h1).blend(0, FROM_HIGH_2);
    UPPER.selectFrom(a45, b45).intoArray(c, 64);
    LOWER.selectFrom(a45, b45).intoArray(c, 80);
    IntVector a67 = LOW_3.selectFrom(g0, g1).blend(0, FROM_HIGH_3);
    IntVector b67 = LOW_3.selectFrom(h0, h1).blend(0, FROM_HIGH_3);
    UPPER.selectFrom(a67, b67).intoArray(c, 96);
    LOWER.selectFrom(a67, b67).intoArray(c, 112);
  }

  private static void all(
      long first,
      int meanA,
      int[] v0,
      int a0,
      int[] v1,
      int a1,
      int[] v2,
      int a2,
      long second,
      int meanB,
      int b0,
      int b1,
      int b2,
      int[] c) {
    int a3 = a2 + Long.bitCount(first >>> 24 & 0xffff);
    int a4 = a3 + Long.bitCount(first >>> 40 & 0xffff);
    int b3 = b2 + Long.bitCount(second >>> 24 & 0xffff);
    int b4 = b3 + Long.bitCount(second >>> 40 & 0xffff);
    IntVector g0 =
        IntVector.fromArray(INTS, v0, a0)
            .expand(VectorMask.fromLong(INTS, (first & 0xff) << 1))
            .blend(meanA, MEAN)
            .or(
                IntVector.fromArray(INTS, v2, a4)
                    .expand(VectorMask.fromLong(INTS, first >>> 56 << 9 & 0xffff)));
    IntVector g1 =
        IntVector.fromArray(INTS, v1, a1).expand(VectorMask.fromLong(INTS, first >>> 8 & 0xffff));
    IntVector g2 =
        IntVector.fromArray(INTS, v2, a2).expand(VectorMask.fromLong(INTS, first >>> 24 & 0xffff));
    IntVector g3 =
        IntVector.fromArray(INTS, v2, a3).expand(VectorMask.fromLong(INTS, first >>> 40 & 0xffff));
    IntVector h0 =
        IntVector.fromArray(INTS, v0, b0)
            .expand(VectorMask.fromLong(INTS, (second & 0xff) << 1))
            .blend(meanB, MEAN)
            .or(
                IntVector.fromArray(INTS, v2, b4)
                    .expand(VectorMask.fromLong(INTS, second >>> 56 << 9 & 0xffff)));
    IntVector h1 =
        IntVector.fromArray(INTS, v1, b1).expand(VectorMask.fromLong(INTS, second >>> 8 & 0xffff));
    IntVector h2 =
        IntVector.fromArray(INTS, v2, b2).expand(VectorMask.fromLong(INTS, second >>> 24 & 0xffff));
    IntVector h3 =
        IntVector.fromArray(INTS, v2, b3).expand(VectorMask.fromLong(INTS, second >>> 40 & 0xffff));
    IntVector a01 = LOW_0.selectFrom(g0, g1).blend(HIGH_0.selectFrom(g2, g3), FROM_HIGH_0);
    IntVector b01 = LOW_0.selectFrom(h0, h1).blend(HIGH_0.selectFrom(h2, h3), FROM_HIGH_0);
    UPPER.selectFrom(a01, b01).intoArray(c, 0);
    LOWER.selectFrom(a01, b01).intoArray(c, 16);
    IntVector a23 = LOW_1.selectFrom(g0, g1).blend(HIGH_1.selectFrom(g2, g3), FROM_HIGH_1);
    IntVector b23 = LOW_1.selectFrom(h0, h1).blend(HIGH_1.selectFrom(h2, h3), FROM_HIGH_1);
    UPPER.selectFrom(a23, b23).intoArray(c, 32);
    LOWER.selectFrom(a23, b23).intoArray(c, 48);
    IntVector a45 = LOW_2.selectFrom(g0, g1).blend(HIGH_2.selectFrom(g2, g3), FROM_HIGH_2);
    IntVector b45 = LOW_2.selectFrom(h0, h1).blend(HIGH_2.selectFrom(h2, h3), FROM_HIGH_2);
    UPPER.selectFrom(a45, b45).intoArray(c, 64);
    LOWER.selectFrom(a45, b45).intoArray(c, 80);
    IntVector a67 = LOW_3.selectFrom(g0, g1).blend(HIGH_3.selectFrom(g2, g3), FROM_HIGH_3);
    IntVector b67 = LOW_3.selectFrom(h0, h1).blend(HIGH_3.selectFrom(h2, h3), FROM_HIGH_3);
    UPPER.selectFrom(a67, b67).intoArray(c, 96);
    LOWER.selectFrom(a67, b67).intoArray(c, 112);
  }
}
