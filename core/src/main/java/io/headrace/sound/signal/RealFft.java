package io.headrace.sound.signal;

import io.headrace.error.ConfigException;
import java.util.ArrayList;
import java.util.List;

/// The Fourier transform of real values, of several columns at once.
///
/// Stockham's self-sorting form of the mixed-radix transform (Cooley and Tukey 1965; Stockham,
/// "High-speed convolution and correlation", 1966), over complex values of half the length, from
/// which the spectrum of the real ones is untangled. Factors are 2, 3, 4 and 5.
///
/// A row is one array with the value of every column, so that the innermost loops run over arrays
/// from their beginning, which the JIT turns into vectors. One per worker; allocates nothing after
/// it was made.
final class RealFft {
  private static final float SIN_60 = (float) Math.sin(Math.PI / 3);
  private static final float COS_72 = (float) Math.cos(2 * Math.PI / 5);
  private static final float SIN_72 = (float) Math.sin(2 * Math.PI / 5);
  private static final float COS_144 = (float) Math.cos(4 * Math.PI / 5);
  private static final float SIN_144 = (float) Math.sin(4 * Math.PI / 5);

  private final int half;
  private final int[] radices;

  /// Cosines and sines of 2π i / half.
  private final float[] cos;

  private final float[] sin;

  /// Cosines and sines of π i / half, for the untangling.
  private final float[] halfCos;

  private final float[] halfSin;
  private float[][] re;
  private float[][] im;
  private float[][] otherRe;
  private float[][] otherIm;
  private final float[] row;

  /// Takes the rows of a spectrum.
  interface Rows {
    /// Takes one.
    ///
    /// @param bin from 0, in order
    /// @param power squares of the magnitudes of the columns; to be used up at once
    void row(int bin, float[] power);
  }

  /// @param points of the transform: even, with no prime factor above 5 in its half
  /// @param columns that are transformed at once, at most
  RealFft(int points, int columns) {
    radices = radices(points);
    half = points / 2;
    cos = new float[half];
    sin = new float[half];
    halfCos = new float[half + 1];
    halfSin = new float[half + 1];
    for (int i = 0; i <= half; i++) {
      halfCos[i] = (float) Math.cos(Math.PI * i / half);
      halfSin[i] = (float) Math.sin(Math.PI * i / half);
      if (i < half) {
        cos[i] = (float) Math.cos(2 * Math.PI * i / half);
        sin[i] = (float) Math.sin(2 * Math.PI * i / half);
      }
    }
    re = new float[half][columns];
    im = new float[half][columns];
    otherRe = new float[half][columns];
    otherIm = new float[half][columns];
    row = new float[columns];
  }

  /// {@return the factors of half the points}
  ///
  /// @throws ConfigException if they are not even, or have another factor than 2, 3 and 5
  static int[] radices(int points) {
    List<Integer> radices = new ArrayList<>();
    int left = points / 2;
    for (int radix : new int[] {4, 2, 3, 5}) {
      while (left > 1 && left % radix == 0) {
        radices.add(radix);
        left /= radix;
      }
    }
    if (points < 2 || points % 2 != 0 || left != 1) {
      throw new ConfigException(
          "FFT of %d points: expected an even number with the factors 2, 3 and 5"
              .formatted(points));
    }
    return radices.stream().mapToInt(Integer::intValue).toArray();
  }

  /// {@return memory for the values with even numbers, [points / 2, columns], until [#power]}
  float[][] even() {
    return re;
  }

  /// {@return memory for the values with odd numbers, [points / 2, columns], until [#power]}
  float[][] odd() {
    return im;
  }

  /// Transforms columns and takes the squares of the magnitudes.
  ///
  /// @param count columns, from the first
  /// @param rows takes the points / 2 + 1 bins
  void power(int count, Rows rows) {
    int n = half;
    int stride = 1;
    for (int radix : radices) {
      pass(radix, n, stride, count);
      n /= radix;
      stride *= radix;
      float[][] r = re;
      re = otherRe;
      otherRe = r;
      float[][] i = im;
      im = otherIm;
      otherIm = i;
    }
    for (int bin = 0; bin <= half; bin++) {
      int at = bin == half ? 0 : bin;
      int mirror = bin == 0 ? 0 : half - bin;
      untangle(re[at], im[at], re[mirror], im[mirror], halfCos[bin], halfSin[bin], count, row);
      rows.row(bin, row);
    }
  }

  private static void untangle(
      float[] re,
      float[] im,
      float[] mirrorRe,
      float[] mirrorIm,
      float c,
      float s,
      int count,
      float[] power) {
    for (int q = 0; q < count; q++) {
      float evenRe = re[q] + mirrorRe[q];
      float evenIm = im[q] - mirrorIm[q];
      float oddRe = im[q] + mirrorIm[q];
      float oddIm = mirrorRe[q] - re[q];
      float x = evenRe + c * oddRe + s * oddIm;
      float y = evenIm + c * oddIm - s * oddRe;
      power[q] = 0.25f * (x * x + y * y);
    }
  }

  private void pass(int radix, int n, int s, int count) {
    int m = n / radix;
    int turn = half / n;
    for (int p = 0; p < m; p++) {
      for (int q = 0; q < s; q++) {
        int a = s * p + q;
        int by = s * m;
        int to = s * radix * p + q;
        switch (radix) {
          case 2 -> two(a, by, to, s, p * turn, count);
          case 3 -> three(a, by, to, s, p * turn, count);
          case 4 -> four(a, by, to, s, p * turn, count);
          default -> five(a, by, to, s, p * turn, count);
        }
      }
    }
  }

  private void two(int a, int by, int to, int s, int angle, int count) {
    sums(re[a], re[a + by], otherRe[to], otherRe[to + s], count);
    sums(im[a], im[a + by], otherIm[to], otherIm[to + s], count);
    turn(otherRe[to + s], otherIm[to + s], angle, count);
  }

  private static void sums(float[] a, float[] b, float[] sum, float[] difference, int count) {
    for (int q = 0; q < count; q++) {
      sum[q] = a[q] + b[q];
      difference[q] = a[q] - b[q];
    }
  }

  /// Multiplies a row with exp(-2πi `angle` / half).
  private void turn(float[] x, float[] y, int angle, int count) {
    if (angle != 0) {
      turn(x, y, cos[angle], sin[angle], count);
    }
  }

  private static void turn(float[] x, float[] y, float c, float d, int count) {
    for (int q = 0; q < count; q++) {
      float real = x[q] * c + y[q] * d;
      y[q] = y[q] * c - x[q] * d;
      x[q] = real;
    }
  }

  private void three(int a, int by, int to, int s, int angle, int count) {
    three(
        re[a],
        re[a + by],
        re[a + 2 * by],
        im[a + by],
        im[a + 2 * by],
        otherRe[to],
        otherRe[to + s],
        otherRe[to + 2 * s],
        1,
        count);
    three(
        im[a],
        im[a + by],
        im[a + 2 * by],
        re[a + by],
        re[a + 2 * by],
        otherIm[to],
        otherIm[to + s],
        otherIm[to + 2 * s],
        -1,
        count);
    turn(otherRe[to + s], otherIm[to + s], angle, count);
    turn(otherRe[to + 2 * s], otherIm[to + 2 * s], 2 * angle, count);
  }

  /// One part of a butterfly of three: the real one of `x` with the imaginary one `y`, or the other
  /// way round with the sign of the difference turned.
  private static void three(
      float[] x0,
      float[] x1,
      float[] x2,
      float[] y1,
      float[] y2,
      float[] o0,
      float[] o1,
      float[] o2,
      float sign,
      int count) {
    float scale = sign * SIN_60;
    for (int q = 0; q < count; q++) {
      float sum = x1[q] + x2[q];
      float middle = x0[q] - 0.5f * sum;
      float difference = scale * (y1[q] - y2[q]);
      o0[q] = x0[q] + sum;
      o1[q] = middle + difference;
      o2[q] = middle - difference;
    }
  }

  private void four(int a, int by, int to, int s, int angle, int count) {
    float[][] r = otherRe;
    float[][] i = otherIm;
    four(re, im, a, by, r[to], r[to + s], r[to + 2 * s], r[to + 3 * s], 1, count);
    four(im, re, a, by, i[to], i[to + s], i[to + 2 * s], i[to + 3 * s], -1, count);
    turn(r[to + s], i[to + s], angle, count);
    turn(r[to + 2 * s], i[to + 2 * s], 2 * angle, count);
    turn(r[to + 3 * s], i[to + 3 * s], 3 * angle, count);
  }

  private static void four(
      float[][] x,
      float[][] y,
      int a,
      int by,
      float[] o0,
      float[] o1,
      float[] o2,
      float[] o3,
      float sign,
      int count) {
    four(
        x[a],
        x[a + by],
        x[a + 2 * by],
        x[a + 3 * by],
        y[a + by],
        y[a + 3 * by],
        o0,
        o1,
        o2,
        o3,
        sign,
        count);
  }

  private static void four(
      float[] x0,
      float[] x1,
      float[] x2,
      float[] x3,
      float[] y1,
      float[] y3,
      float[] o0,
      float[] o1,
      float[] o2,
      float[] o3,
      float sign,
      int count) {
    for (int q = 0; q < count; q++) {
      float sum = x0[q] + x2[q];
      float difference = x0[q] - x2[q];
      float oddSum = x1[q] + x3[q];
      float across = sign * (y1[q] - y3[q]);
      o0[q] = sum + oddSum;
      o1[q] = difference + across;
      o2[q] = sum - oddSum;
      o3[q] = difference - across;
    }
  }

  private void five(int a, int by, int to, int s, int angle, int count) {
    float[][] r = otherRe;
    float[][] i = otherIm;
    fiveSums(re, a, by, r[to], r[to + s], r[to + 2 * s], count);
    fiveSums(im, a, by, i[to], i[to + s], i[to + 2 * s], count);
    fiveAcross(im, a, by, r[to + s], r[to + 2 * s], r[to + 3 * s], r[to + 4 * s], 1, count);
    fiveAcross(re, a, by, i[to + s], i[to + 2 * s], i[to + 3 * s], i[to + 4 * s], -1, count);
    for (int k = 1; k < 5; k++) {
      turn(r[to + k * s], i[to + k * s], k * angle, count);
    }
  }

  private static void fiveSums(
      float[][] x, int a, int by, float[] o0, float[] o1, float[] o2, int count) {
    fiveSums(x[a], x[a + by], x[a + 2 * by], x[a + 3 * by], x[a + 4 * by], o0, o1, o2, count);
  }

  /// The sum of all, and what the pairs of outputs have in common.
  private static void fiveSums(
      float[] x0,
      float[] x1,
      float[] x2,
      float[] x3,
      float[] x4,
      float[] o0,
      float[] o1,
      float[] o2,
      int count) {
    for (int q = 0; q < count; q++) {
      float outer = x1[q] + x4[q];
      float inner = x2[q] + x3[q];
      o0[q] = x0[q] + outer + inner;
      o1[q] = x0[q] + COS_72 * outer + COS_144 * inner;
      o2[q] = x0[q] + COS_144 * outer + COS_72 * inner;
    }
  }

  private static void fiveAcross(
      float[][] y,
      int a,
      int by,
      float[] o1,
      float[] o2,
      float[] o3,
      float[] o4,
      float sign,
      int count) {
    fiveAcross(
        y[a + by],
        y[a + 2 * by],
        y[a + 3 * by],
        y[a + 4 * by],
        o1,
        o2,
        o3,
        o4,
        sign * SIN_72,
        sign * SIN_144,
        count);
  }

  /// Tells the pairs of outputs apart.
  private static void fiveAcross(
      float[] y1,
      float[] y2,
      float[] y3,
      float[] y4,
      float[] o1,
      float[] o2,
      float[] o3,
      float[] o4,
      float sin72,
      float sin144,
      int count) {
    for (int q = 0; q < count; q++) {
      float outer = y1[q] - y4[q];
      float inner = y2[q] - y3[q];
      float one = sin72 * outer + sin144 * inner;
      float two = sin144 * outer - sin72 * inner;
      float common = o1[q];
      o1[q] = common + one;
      o4[q] = common - one;
      common = o2[q];
      o2[q] = common + two;
      o3[q] = common - two;
    }
  }
}
