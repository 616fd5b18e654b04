package io.headrace.pipeline.resize;

/// The inner loops of [Resampler]. All numbers are fixed point, [Taps#PRECISION_BITS] bits.
final class RowFilter {
  private static final int SHIFT = Taps.PRECISION_BITS;
  private static final int HALF = Taps.HALF;
  private static final long HALVES = HALF | (long) HALF << 32;

  private RowFilter() {}

  /// Puts `upper` into the lower and `lower` into the upper halves of `pair`, from `start` to
  /// `end`.
  static void zip(byte[] upper, byte[] lower, long[] pair, int start, int end) {
    for (int i = start; i < end; i++) {
      pair[i] = (upper[i] & 0xff) | (long) (lower[i] & 0xff) << 32;
    }
  }

  /// Takes one channel out of a row of pixels.
  ///
  /// @param c the channel
  /// @param n pixels of the row
  /// @param mirrored whether to go from right to left
  /// @param out where fixed-point numbers go, from `start`
  static void plane(byte[] pixels, int c, int n, boolean mirrored, int[] out, int start) {
    if (mirrored) {
      int last = 3 * (n - 1) + c;
      for (int x = 0; x < n; x++) {
        out[start + x] = (pixels[last - 3 * x] & 0xff) << SHIFT;
      }
    } else {
      for (int x = 0; x < n; x++) {
        out[start + x] = (pixels[3 * x + c] & 0xff) << SHIFT;
      }
    }
  }

  /// Filters two rows of `pair` along the row, and rounds to whole numbers.
  ///
  /// @param n pixels that come out
  /// @param out0 whole numbers of the row in the lower halves, as planes
  /// @param out1 whole numbers of the row in the upper halves, as planes
  /// @param start where the first pixel's red goes
  /// @param plane from a channel to the next
  static void across(long[] pair, Taps taps, int n, int[] out0, int[] out1, int start, int plane) {
    int[] first = taps.first();
    int[] weights = taps.weights();
    switch (taps.count()) {
      case 1 -> across1(pair, first, weights, n, out0, out1, start, plane);
      case 2 -> across2(pair, first, weights, n, out0, out1, start, plane);
      case 3 -> across3(pair, first, weights, n, out0, out1, start, plane);
      case 4 -> across4(pair, first, weights, n, out0, out1, start, plane);
      default -> acrossMany(pair, first, weights, taps.count(), n, out0, out1, start, plane);
    }
  }

  private static void across1(
      long[] pair,
      int[] first,
      int[] weights,
      int n,
      int[] out0,
      int[] out1,
      int start,
      int plane) {
    for (int i = 0; i < n; i++) {
      int j = 3 * first[i];
      int o = start + i;
      long k0 = weights[i];
      long red = HALVES + k0 * pair[j];
      long green = HALVES + k0 * pair[j + 1];
      long blue = HALVES + k0 * pair[j + 2];
      out0[o] = (int) red >>> SHIFT;
      out0[o + plane] = (int) green >>> SHIFT;
      out0[o + 2 * plane] = (int) blue >>> SHIFT;
      out1[o] = (int) (red >>> (32 + SHIFT));
      out1[o + plane] = (int) (green >>> (32 + SHIFT));
      out1[o + 2 * plane] = (int) (blue >>> (32 + SHIFT));
    }
  }

  private static void across2(
      long[] pair,
      int[] first,
      int[] weights,
      int n,
      int[] out0,
      int[] out1,
      int start,
      int plane) {
    for (int i = 0; i < n; i++) {
      int j = 3 * first[i];
      int o = start + i;
      long k0 = weights[2 * i];
      long k1 = weights[2 * i + 1];
      long red = HALVES + k0 * pair[j] + k1 * pair[j + 3];
      long green = HALVES + k0 * pair[j + 1] + k1 * pair[j + 4];
      long blue = HALVES + k0 * pair[j + 2] + k1 * pair[j + 5];
      out0[o] = (int) red >>> SHIFT;
      out0[o + plane] = (int) green >>> SHIFT;
      out0[o + 2 * plane] = (int) blue >>> SHIFT;
      out1[o] = (int) (red >>> (32 + SHIFT));
      out1[o + plane] = (int) (green >>> (32 + SHIFT));
      out1[o + 2 * plane] = (int) (blue >>> (32 + SHIFT));
    }
  }

  private static void across3(
      long[] pair,
      int[] first,
      int[] weights,
      int n,
      int[] out0,
      int[] out1,
      int start,
      int plane) {
    for (int i = 0; i < n; i++) {
      int j = 3 * first[i];
      int o = start + i;
      long k0 = weights[3 * i];
      long k1 = weights[3 * i + 1];
      long k2 = weights[3 * i + 2];
      long red = HALVES + k0 * pair[j] + k1 * pair[j + 3] + k2 * pair[j + 6];
      long green = HALVES + k0 * pair[j + 1] + k1 * pair[j + 4] + k2 * pair[j + 7];
      long blue = HALVES + k0 * pair[j + 2] + k1 * pair[j + 5] + k2 * pair[j + 8];
      out0[o] = (int) red >>> SHIFT;
      out0[o + plane] = (int) green >>> SHIFT;
      out0[o + 2 * plane] = (int) blue >>> SHIFT;
      out1[o] = (int) (red >>> (32 + SHIFT));
      out1[o + plane] = (int) (green >>> (32 + SHIFT));
      out1[o + 2 * plane] = (int) (blue >>> (32 + SHIFT));
    }
  }

  private static void across4(
      long[] pair,
      int[] first,
      int[] weights,
      int n,
      int[] out0,
      int[] out1,
      int start,
      int plane) {
    for (int i = 0; i < n; i++) {
      int j = 3 * first[i];
      int o = start + i;
      long k0 = weights[4 * i];
      long k1 = weights[4 * i + 1];
      long k2 = weights[4 * i + 2];
      long k3 = weights[4 * i + 3];
      long red = HALVES + k0 * pair[j] + k1 * pair[j + 3] + k2 * pair[j + 6] + k3 * pair[j + 9];
      long green =
          HALVES + k0 * pair[j + 1] + k1 * pair[j + 4] + k2 * pair[j + 7] + k3 * pair[j + 10];
      long blue =
          HALVES + k0 * pair[j + 2] + k1 * pair[j + 5] + k2 * pair[j + 8] + k3 * pair[j + 11];
      out0[o] = (int) red >>> SHIFT;
      out0[o + plane] = (int) green >>> SHIFT;
      out0[o + 2 * plane] = (int) blue >>> SHIFT;
      out1[o] = (int) (red >>> (32 + SHIFT));
      out1[o + plane] = (int) (green >>> (32 + SHIFT));
      out1[o + 2 * plane] = (int) (blue >>> (32 + SHIFT));
    }
  }

  private static void acrossMany(
      long[] pair,
      int[] first,
      int[] weights,
      int count,
      int n,
      int[] out0,
      int[] out1,
      int start,
      int plane) {
    int k = 0;
    for (int i = 0; i < n; i++) {
      int j = 3 * first[i];
      int o = start + i;
      long red = HALVES;
      long green = HALVES;
      long blue = HALVES;
      for (int end = k + count; k < end; k++) {
        long weight = weights[k];
        red += weight * pair[j];
        green += weight * pair[j + 1];
        blue += weight * pair[j + 2];
        j += 3;
      }
      out0[o] = Math.min(255, (int) red >>> SHIFT); // thousands of weights may round above 1
      out0[o + plane] = Math.min(255, (int) green >>> SHIFT);
      out0[o + 2 * plane] = Math.min(255, (int) blue >>> SHIFT);
      out1[o] = Math.min(255, (int) (red >>> (32 + SHIFT)));
      out1[o + plane] = Math.min(255, (int) (green >>> (32 + SHIFT)));
      out1[o + 2 * plane] = Math.min(255, (int) (blue >>> (32 + SHIFT)));
    }
  }

  /// Filters whole rows down the columns into `sums`, rounded when cut off at the point.
  ///
  /// @param ring rows of whole numbers, row `y` at `y` modulo its length, a power of two
  /// @param first the first row read
  /// @param output whose weights of `taps` are taken
  static void down(int[][] ring, int first, Taps taps, int output, int[] sums, int n) {
    int count = taps.count();
    down(ring, first, taps.weights(), output * count, count, HALF, sums, n);
    if (count > 1024) {
      for (int i = 0; i < n; i++) {
        sums[i] = Math.min(sums[i], 255 << SHIFT | (1 << SHIFT) - 1);
      }
    }
  }

  /// Filters whole rows down the columns into `sums`.
  ///
  /// @param ring rows, row `y` at `y` modulo its length, a power of two
  /// @param first the first row read
  /// @param weights its weight is at `k`, the others follow
  /// @param count rows read
  /// @param bias added to every sum
  static void down(
      int[][] ring, int first, int[] weights, int k, int count, int bias, int[] sums, int n) {
    int mask = ring.length - 1;
    int[] a = ring[first & mask];
    int[] b = ring[(first + 1) & mask];
    int[] c = ring[(first + 2) & mask];
    int[] d = ring[(first + 3) & mask];
    int t = Math.min(count, 4);
    switch (count) {
      case 1 -> down1(a, weights[k], bias, sums, n);
      case 2 -> down2(a, b, weights[k], weights[k + 1], bias, sums, n);
      case 3 -> down3(a, b, c, weights[k], weights[k + 1], weights[k + 2], bias, sums, n);
      default -> down4(a, b, c, d, weights, k, bias, sums, n);
    }
    for (; t + 1 < count; t += 2) {
      a = ring[(first + t) & mask];
      b = ring[(first + t + 1) & mask];
      add2(a, b, weights[k + t], weights[k + t + 1], sums, n);
    }
    if (t < count) {
      add1(ring[(first + t) & mask], weights[k + t], sums, n);
    }
  }

  private static void down1(int[] a, int ka, int bias, int[] sums, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] = bias + ka * a[i];
    }
  }

  private static void down2(int[] a, int[] b, int ka, int kb, int bias, int[] sums, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] = bias + ka * a[i] + kb * b[i];
    }
  }

  private static void down3(
      int[] a, int[] b, int[] c, int ka, int kb, int kc, int bias, int[] sums, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] = bias + ka * a[i] + kb * b[i] + kc * c[i];
    }
  }

  private static void down4(
      int[] a, int[] b, int[] c, int[] d, int[] weights, int k, int bias, int[] sums, int n) {
    int ka = weights[k];
    int kb = weights[k + 1];
    int kc = weights[k + 2];
    int kd = weights[k + 3];
    for (int i = 0; i < n; i++) {
      sums[i] = bias + ka * a[i] + kb * b[i] + kc * c[i] + kd * d[i];
    }
  }

  private static void add1(int[] a, int ka, int[] sums, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] += ka * a[i];
    }
  }

  private static void add2(int[] a, int[] b, int ka, int kb, int[] sums, int n) {
    for (int i = 0; i < n; i++) {
      sums[i] += ka * a[i] + kb * b[i];
    }
  }
}
