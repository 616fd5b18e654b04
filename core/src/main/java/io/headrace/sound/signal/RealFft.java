package io.headrace.sound.signal;

import io.headrace.error.ConfigException;
import java.util.ArrayList;
import java.util.List;

/// The Fourier transform of real values, of several columns at once.
///
/// Stockham's self-sorting form of the mixed-radix transform (Cooley and Tukey 1965; Stockham,
/// "High-speed convolution and correlation", 1966), over complex values of half the length, from
/// which the spectrum of the real ones is untangled. Columns lie side by side, so that the
/// innermost
/// loops run over neighbours in memory. Factors are 2, 3, 4 and 5. One per worker; allocates
/// nothing after it was made.
final class RealFft {
  private static final float SIN_60 = (float) Math.sin(Math.PI / 3);
  private static final float COS_72 = (float) Math.cos(2 * Math.PI / 5);
  private static final float SIN_72 = (float) Math.sin(2 * Math.PI / 5);
  private static final float COS_144 = (float) Math.cos(4 * Math.PI / 5);
  private static final float SIN_144 = (float) Math.sin(4 * Math.PI / 5);

  private final int half;
  private final int columns;
  private final int[] radices;

  /// Cosines and sines of 2π i / half.
  private final float[] cos;

  private final float[] sin;

  /// Cosines and sines of π i / half, for the untangling.
  private final float[] halfCos;

  private final float[] halfSin;
  private float[] re;
  private float[] im;
  private float[] otherRe;
  private float[] otherIm;

  /// @param points of the transform: even, with no prime factor above 5 in its half
  /// @param columns that are transformed at once
  RealFft(int points, int columns) {
    radices = radices(points);
    half = points / 2;
    this.columns = columns;
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
    re = new float[half * columns];
    im = new float[half * columns];
    otherRe = new float[half * columns];
    otherIm = new float[half * columns];
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
  float[] even() {
    return re;
  }

  /// {@return memory for the values with odd numbers, [points / 2, columns], until [#power]}
  float[] odd() {
    return im;
  }

  /// Transforms the columns and takes the squares of the magnitudes.
  ///
  /// @param count of columns that matter; the others are transformed too, whatever they hold
  /// @param power float32 [points / 2 + 1, columns]
  void power(int count, float[] power) {
    int n = half;
    int stride = columns;
    for (int radix : radices) {
      switch (radix) {
        case 2 -> pass2(n, stride);
        case 3 -> pass3(n, stride);
        case 4 -> pass4(n, stride);
        default -> pass5(n, stride);
      }
      n /= radix;
      stride *= radix;
      float[] r = re;
      re = otherRe;
      otherRe = r;
      float[] i = im;
      im = otherIm;
      otherIm = i;
    }
    for (int bin = 0; bin <= half; bin++) {
      int at = bin == half ? 0 : bin * columns;
      int mirror = bin == 0 ? 0 : (half - bin) * columns;
      float c = halfCos[bin];
      float s = halfSin[bin];
      for (int q = 0; q < count; q++) {
        float evenRe = 0.5f * (re[at + q] + re[mirror + q]);
        float evenIm = 0.5f * (im[at + q] - im[mirror + q]);
        float oddRe = 0.5f * (im[at + q] + im[mirror + q]);
        float oddIm = 0.5f * (re[mirror + q] - re[at + q]);
        float x = evenRe + c * oddRe + s * oddIm;
        float y = evenIm + c * oddIm - s * oddRe;
        power[bin * columns + q] = x * x + y * y;
      }
    }
  }

  private void pass2(int n, int s) {
    int m = n / 2;
    int turn = half / n;
    for (int p = 0; p < m; p++) {
      float c = cos[p * turn];
      float d = sin[p * turn];
      int a = s * p;
      int b = s * (p + m);
      int to = s * 2 * p;
      for (int q = 0; q < s; q++) {
        float x = re[a + q] - re[b + q];
        float y = im[a + q] - im[b + q];
        otherRe[to + q] = re[a + q] + re[b + q];
        otherIm[to + q] = im[a + q] + im[b + q];
        otherRe[to + s + q] = x * c + y * d;
        otherIm[to + s + q] = y * c - x * d;
      }
    }
  }

  private void pass3(int n, int s) {
    int m = n / 3;
    int turn = half / n;
    for (int p = 0; p < m; p++) {
      float c1 = cos[p * turn];
      float d1 = sin[p * turn];
      float c2 = cos[2 * p * turn];
      float d2 = sin[2 * p * turn];
      int a = s * p;
      int to = s * 3 * p;
      for (int q = 0; q < s; q++) {
        float ar = re[a + q];
        float ai = im[a + q];
        float sumRe = re[a + s * m + q] + re[a + 2 * s * m + q];
        float sumIm = im[a + s * m + q] + im[a + 2 * s * m + q];
        float difRe = SIN_60 * (re[a + s * m + q] - re[a + 2 * s * m + q]);
        float difIm = SIN_60 * (im[a + s * m + q] - im[a + 2 * s * m + q]);
        float midRe = ar - 0.5f * sumRe;
        float midIm = ai - 0.5f * sumIm;
        otherRe[to + q] = ar + sumRe;
        otherIm[to + q] = ai + sumIm;
        float x = midRe + difIm;
        float y = midIm - difRe;
        otherRe[to + s + q] = x * c1 + y * d1;
        otherIm[to + s + q] = y * c1 - x * d1;
        x = midRe - difIm;
        y = midIm + difRe;
        otherRe[to + 2 * s + q] = x * c2 + y * d2;
        otherIm[to + 2 * s + q] = y * c2 - x * d2;
      }
    }
  }

  private void pass4(int n, int s) {
    int m = n / 4;
    int turn = half / n;
    for (int p = 0; p < m; p++) {
      float c1 = cos[p * turn];
      float d1 = sin[p * turn];
      float c2 = cos[2 * p * turn];
      float d2 = sin[2 * p * turn];
      float c3 = cos[3 * p * turn];
      float d3 = sin[3 * p * turn];
      int a = s * p;
      int b = a + s * m;
      int c = b + s * m;
      int d = c + s * m;
      int to = s * 4 * p;
      for (int q = 0; q < s; q++) {
        float sumRe = re[a + q] + re[c + q];
        float sumIm = im[a + q] + im[c + q];
        float difRe = re[a + q] - re[c + q];
        float difIm = im[a + q] - im[c + q];
        float oddSumRe = re[b + q] + re[d + q];
        float oddSumIm = im[b + q] + im[d + q];
        float oddDifRe = re[b + q] - re[d + q];
        float oddDifIm = im[b + q] - im[d + q];
        otherRe[to + q] = sumRe + oddSumRe;
        otherIm[to + q] = sumIm + oddSumIm;
        float x = difRe + oddDifIm;
        float y = difIm - oddDifRe;
        otherRe[to + s + q] = x * c1 + y * d1;
        otherIm[to + s + q] = y * c1 - x * d1;
        x = sumRe - oddSumRe;
        y = sumIm - oddSumIm;
        otherRe[to + 2 * s + q] = x * c2 + y * d2;
        otherIm[to + 2 * s + q] = y * c2 - x * d2;
        x = difRe - oddDifIm;
        y = difIm + oddDifRe;
        otherRe[to + 3 * s + q] = x * c3 + y * d3;
        otherIm[to + 3 * s + q] = y * c3 - x * d3;
      }
    }
  }

  private void pass5(int n, int s) {
    int m = n / 5;
    int turn = half / n;
    for (int p = 0; p < m; p++) {
      int a = s * p;
      int to = s * 5 * p;
      for (int q = 0; q < s; q++) {
        float ar = re[a + q];
        float ai = im[a + q];
        float s1Re = re[a + s * m + q] + re[a + 4 * s * m + q];
        float s1Im = im[a + s * m + q] + im[a + 4 * s * m + q];
        float d1Re = re[a + s * m + q] - re[a + 4 * s * m + q];
        float d1Im = im[a + s * m + q] - im[a + 4 * s * m + q];
        float s2Re = re[a + 2 * s * m + q] + re[a + 3 * s * m + q];
        float s2Im = im[a + 2 * s * m + q] + im[a + 3 * s * m + q];
        float d2Re = re[a + 2 * s * m + q] - re[a + 3 * s * m + q];
        float d2Im = im[a + 2 * s * m + q] - im[a + 3 * s * m + q];
        otherRe[to + q] = ar + s1Re + s2Re;
        otherIm[to + q] = ai + s1Im + s2Im;
        float m1Re = ar + COS_72 * s1Re + COS_144 * s2Re;
        float m1Im = ai + COS_72 * s1Im + COS_144 * s2Im;
        float m2Re = ar + COS_144 * s1Re + COS_72 * s2Re;
        float m2Im = ai + COS_144 * s1Im + COS_72 * s2Im;
        float n1Re = SIN_72 * d1Re + SIN_144 * d2Re;
        float n1Im = SIN_72 * d1Im + SIN_144 * d2Im;
        float n2Re = SIN_144 * d1Re - SIN_72 * d2Re;
        float n2Im = SIN_144 * d1Im - SIN_72 * d2Im;
        turned(to + s + q, m1Re + n1Im, m1Im - n1Re, p * turn);
        turned(to + 2 * s + q, m2Re + n2Im, m2Im - n2Re, 2 * p * turn);
        turned(to + 3 * s + q, m2Re - n2Im, m2Im + n2Re, 3 * p * turn);
        turned(to + 4 * s + q, m1Re - n1Im, m1Im + n1Re, 4 * p * turn);
      }
    }
  }

  private void turned(int to, float x, float y, int angle) {
    otherRe[to] = x * cos[angle] + y * sin[angle];
    otherIm[to] = y * cos[angle] - x * sin[angle];
  }
}
