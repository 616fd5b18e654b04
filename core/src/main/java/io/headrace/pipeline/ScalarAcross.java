package io.headrace.pipeline;

/// The filter in plain Java. Three rows go through it at once, each in 21 bits of a long, which is
/// what their sums take.
final class ScalarAcross extends AcrossFilter {
  private static final int LANE = 21;
  private static final int MASK = (1 << LANE) - 1;

  private int[] first = new int[0];
  private int[] weights = new int[0];
  private long[] three = new long[0];
  private int count;
  private int outputs;
  private int samples;

  @Override
  void prepare(AxisTaps taps, int n, int origin) {
    count = taps.count();
    weights = taps.weights();
    outputs = n;
    if (first.length < n) {
      first = new int[n];
    }
    for (int i = 0; i < n; i++) {
      first[i] = taps.first()[i] - origin;
    }
    samples = taps.endOf(n) - origin;
    if (three.length < samples) {
      three = new long[samples];
    }
  }

  @Override
  void rows(byte[] a, byte[] b, byte[] c, int[] outA, int[] outB, int[] outC, int start) {
    zip(a, b, c, three, samples);
    switch (count) {
      case 3 -> three(three, first, weights, outputs, outA, outB, outC, start);
      case 4 -> four(three, first, weights, outputs, outA, outB, outC, start);
      default -> many(three, first, weights, count, outputs, outA, outB, outC, start);
    }
  }

  private static void zip(byte[] a, byte[] b, byte[] c, long[] three, int n) {
    for (int i = 0; i < n; i++) {
      three[i] = (a[i] & 0xffL) | (b[i] & 0xffL) << LANE | (c[i] & 0xffL) << (2 * LANE);
    }
  }

  private static void three(
      long[] three, int[] first, int[] weights, int n, int[] a, int[] b, int[] c, int o) {
    for (int i = 0; i < n; i++) {
      int j = first[i];
      long sum =
          (long) weights[3 * i] * three[j]
              + (long) weights[3 * i + 1] * three[j + 1]
              + (long) weights[3 * i + 2] * three[j + 2];
      a[o + i] = (((int) sum & MASK) + HALF) >> SHIFT;
      b[o + i] = (((int) (sum >>> LANE) & MASK) + HALF) >> SHIFT;
      c[o + i] = ((int) (sum >>> (2 * LANE)) + HALF) >> SHIFT;
    }
  }

  private static void four(
      long[] three, int[] first, int[] weights, int n, int[] a, int[] b, int[] c, int o) {
    for (int i = 0; i < n; i++) {
      int j = first[i];
      long sum =
          (long) weights[4 * i] * three[j]
              + (long) weights[4 * i + 1] * three[j + 1]
              + (long) weights[4 * i + 2] * three[j + 2]
              + (long) weights[4 * i + 3] * three[j + 3];
      a[o + i] = (((int) sum & MASK) + HALF) >> SHIFT;
      b[o + i] = (((int) (sum >>> LANE) & MASK) + HALF) >> SHIFT;
      c[o + i] = ((int) (sum >>> (2 * LANE)) + HALF) >> SHIFT;
    }
  }

  private static void many(
      long[] three,
      int[] first,
      int[] weights,
      int count,
      int n,
      int[] a,
      int[] b,
      int[] c,
      int o) {
    int k = 0;
    for (int i = 0; i < n; i++) {
      int j = first[i];
      long sum = 0;
      for (int end = k + count; k < end; k++) {
        sum += weights[k] * three[j++];
      }
      a[o + i] = (((int) sum & MASK) + HALF) >> SHIFT;
      b[o + i] = (((int) (sum >>> LANE) & MASK) + HALF) >> SHIFT;
      c[o + i] = ((int) (sum >>> (2 * LANE)) + HALF) >> SHIFT;
    }
  }
}
