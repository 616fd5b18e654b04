package io.headrace.pipeline.resize;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The second pass with the Vector API: whole vectors up to the last output and beyond it, so that
/// no loop handles single numbers at its start or end. One loop goes from sums to elements.
///
/// There are few loops, because each takes its time until the JIT has compiled it: [WarmAcross]
/// warms them all. Plain loops sum more than four rows.
final class VectorDown extends DownFilter {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, INTS.vectorShape());
  private static final int LANES = INTS.length();
  private static final int BITS = YuvColours.BITS;
  private static final int HALF = YuvColours.HALF;
  private static final int UP = YuvColours.UP;
  private static final int DOWN = YuvColours.DOWN;
  private static final int NEUTRAL = YuvColours.NEUTRAL;
  private static final int MAX = YuvColours.MAX;
  private static final int RED_OF_CR = YuvColours.RED_OF_CR;
  private static final int GREEN_OF_CB = YuvColours.GREEN_OF_CB;
  private static final int GREEN_OF_CR = YuvColours.GREEN_OF_CR;
  private static final int BLUE_OF_CB = YuvColours.BLUE_OF_CB;

  /// Which bytes of a vector of pixels come first: three of each four.
  private static final byte[] THREE_OF_FOUR = threeOfFour();

  VectorDown() {}

  private static byte[] threeOfFour() {
    byte[] places = new byte[BYTES.length()];
    for (int i = 0; i < 3 * LANES; i++) {
      places[i] = (byte) (i / 3 * 4 + i % 3);
    }
    return places;
  }

  @Override
  void sum(int[][] ring, int first, int[] weights, int count, int[] sums, int n) {
    int mask = ring.length - 1;
    int[] a = ring[first & mask];
    int[] b = ring[(first + 1) & mask];
    int[] c = ring[(first + 2) & mask];
    if (count <= 3) {
      int kb = count > 1 ? weights[1] : 0;
      int kc = count > 2 ? weights[2] : 0;
      sum(a, b, c, weights[0], kb, kc, sums, n);
    } else if (count == 4) {
      sum(a, b, c, ring[(first + 3) & mask], weights, sums, n);
    } else {
      RowFilter.down(ring, first, weights, 0, count, 0, sums, n);
    }
  }

  private static void sum(int[] a, int[] b, int[] c, int ka, int kb, int kc, int[] sums, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(INTS, a, i)
          .mul(ka)
          .add(IntVector.fromArray(INTS, b, i).mul(kb))
          .add(IntVector.fromArray(INTS, c, i).mul(kc))
          .intoArray(sums, i);
    }
  }

  private static void sum(int[] a, int[] b, int[] c, int[] d, int[] weights, int[] sums, int n) {
    int ka = weights[0];
    int kb = weights[1];
    int kc = weights[2];
    int kd = weights[3];
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(INTS, a, i)
          .mul(ka)
          .add(IntVector.fromArray(INTS, b, i).mul(kb))
          .add(IntVector.fromArray(INTS, c, i).mul(kc))
          .add(IntVector.fromArray(INTS, d, i).mul(kd))
          .intoArray(sums, i);
    }
  }

  @Override
  void pixels(int[] luma, int[] cb, int[] cr, int[] pixels, int n) {
    pack(luma, cb, cr, pixels, n);
  }

  private static void pack(int[] luma, int[] cb, int[] cr, int[] pixels, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector y = IntVector.fromArray(INTS, luma, i).lanewise(VectorOperators.LSHL, UP);
      IntVector u =
          IntVector.fromArray(INTS, cb, i).lanewise(VectorOperators.ASHR, DOWN).sub(NEUTRAL);
      IntVector v =
          IntVector.fromArray(INTS, cr, i).lanewise(VectorOperators.ASHR, DOWN).sub(NEUTRAL);
      IntVector red =
          y.add(v.mul(RED_OF_CR)).max(0).min(MAX).add(HALF).lanewise(VectorOperators.LSHR, BITS);
      IntVector green =
          y.sub(u.mul(GREEN_OF_CB))
              .sub(v.mul(GREEN_OF_CR))
              .max(0)
              .min(MAX)
              .add(HALF)
              .lanewise(VectorOperators.LSHR, BITS)
              .lanewise(VectorOperators.LSHL, 8);
      IntVector blue =
          y.add(u.mul(BLUE_OF_CB))
              .max(0)
              .min(MAX)
              .add(HALF)
              .lanewise(VectorOperators.LSHR, BITS)
              .lanewise(VectorOperators.LSHL, 16);
      red.or(green).or(blue).intoArray(pixels, i);
    }
  }

  @Override
  void rounded(int[] red, int[] green, int[] blue, int[] pixels, int n) {
    round(red, green, blue, pixels, n);
  }

  private static void round(int[] red, int[] green, int[] blue, int[] pixels, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector r =
          IntVector.fromArray(INTS, red, i)
              .lanewise(VectorOperators.LSHL, UP)
              .min(MAX)
              .add(HALF)
              .lanewise(VectorOperators.LSHR, BITS);
      IntVector g =
          IntVector.fromArray(INTS, green, i)
              .lanewise(VectorOperators.LSHL, UP)
              .min(MAX)
              .add(HALF)
              .lanewise(VectorOperators.LSHR, BITS)
              .lanewise(VectorOperators.LSHL, 8);
      IntVector b =
          IntVector.fromArray(INTS, blue, i)
              .lanewise(VectorOperators.LSHL, UP)
              .min(MAX)
              .add(HALF)
              .lanewise(VectorOperators.LSHR, BITS)
              .lanewise(VectorOperators.LSHL, 16);
      r.or(g).or(b).intoArray(pixels, i);
    }
  }

  @Override
  void normalised(int[] sums, float scale, float shift, float[] row, int n) {
    normalise(sums, scale, shift, row, n);
  }

  private static void normalise(int[] sums, float scale, float shift, float[] row, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(INTS, sums, i)
          .lanewise(VectorOperators.LSHL, UP)
          .min(MAX)
          .convert(VectorOperators.I2F, 0)
          .reinterpretAsFloats()
          .mul(scale)
          .add(shift)
          .intoArray(row, i);
    }
  }

  @Override
  void interleave(int[] pixels, byte[] row, int n) {
    squeeze(pixels, THREE_OF_FOUR, row, n);
  }

  private static void squeeze(int[] pixels, byte[] places, byte[] row, int n) {
    for (int i = 0; i < n; i += LANES) {
      ByteVector.fromArray(BYTES, places, 0)
          .selectFrom(IntVector.fromArray(INTS, pixels, i).reinterpretAsBytes())
          .intoArray(row, 3 * i);
    }
  }

  @Override
  void floats(
      int[] luma, int[] cb, int[] cr, float[] scales, float[] shifts, float[][] rows, int n) {
    colour(luma, cr, RED_OF_CR, scales[0], shifts[0], rows[0], n);
    green(luma, cb, cr, scales[1], shifts[1], rows[1], n);
    colour(luma, cb, BLUE_OF_CB, scales[2], shifts[2], rows[2], n);
  }

  /// Red, or blue.
  private static void colour(
      int[] luma, int[] chroma, int coefficient, float scale, float shift, float[] row, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(INTS, luma, i)
          .lanewise(VectorOperators.LSHL, UP)
          .add(
              IntVector.fromArray(INTS, chroma, i)
                  .lanewise(VectorOperators.ASHR, DOWN)
                  .sub(NEUTRAL)
                  .mul(coefficient))
          .max(0)
          .min(MAX)
          .convert(VectorOperators.I2F, 0)
          .reinterpretAsFloats()
          .mul(scale)
          .add(shift)
          .intoArray(row, i);
    }
  }

  private static void green(
      int[] luma, int[] cb, int[] cr, float scale, float shift, float[] row, int n) {
    for (int i = 0; i < n; i += LANES) {
      IntVector.fromArray(INTS, luma, i)
          .lanewise(VectorOperators.LSHL, UP)
          .sub(
              IntVector.fromArray(INTS, cb, i)
                  .lanewise(VectorOperators.ASHR, DOWN)
                  .sub(NEUTRAL)
                  .mul(GREEN_OF_CB))
          .sub(
              IntVector.fromArray(INTS, cr, i)
                  .lanewise(VectorOperators.ASHR, DOWN)
                  .sub(NEUTRAL)
                  .mul(GREEN_OF_CR))
          .max(0)
          .min(MAX)
          .convert(VectorOperators.I2F, 0)
          .reinterpretAsFloats()
          .mul(scale)
          .add(shift)
          .intoArray(row, i);
    }
  }
}
