package io.headrace.pipeline.resize;

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
  private int columns;

  @Override
  void prepare(AxisTaps taps) {
    count = taps.count();
    int n = taps.outputs();
    weights = taps.weights();
    outputs = n;
    if (first.length < n) {
      first = new int[n];
    }
    for (int i = 0; i < n; i++) {
      first[i] = taps.first()[i] - taps.begin();
    }
    columns = taps.end() - taps.begin();
    if (three.length < columns) {
      three = new long[columns];
    }
  }

  @Override
  void rows(byte[] samples, int stride, int[] outA, int[] outB, int[] outC) {
    zip(samples, stride, three, columns);
    switch (count) {
      case 3 -> three(three, first, weights, outputs, outA, outB, outC);
      case 4 -> four(three, first, weights, outputs, outA, outB, outC);
      default -> many(three, first, weights, count, outputs, outA, outB, outC);
    }
  }

  private static void zip(byte[] samples, int stride, long[] three, int n) {
    for (int i = 0; i < n; i++) {
      three[i] =
          (samples[i] & 0xffL)
              | (samples[stride + i] & 0xffL) << LANE
              | (samples[2 * stride + i] & 0xffL) << (2 * LANE);
    }
  }

  private static void three(
      long[] three, int[] first, int[] weights, int n, int[] a, int[] b, int[] c) {
    for (int i = 0; i < n; i++) {
      int j = first[i];
      long sum =
          (long) weights[i] * three[j]
              + (long) weights[n + i] * three[j + 1]
              + (long) weights[2 * n + i] * three[j + 2];
      a[i] = (((int) sum & MASK) + HALF) >> SHIFT;
      b[i] = (((int) (sum >>> LANE) & MASK) + HALF) >> SHIFT;
      c[i] = ((int) (sum >>> (2 * LANE)) + HALF) >> SHIFT;
    }
  }

  private static void four(
      long[] three, int[] first, int[] weights, int n, int[] a, int[] b, int[] c) {
    for (int i = 0; i < n; i++) {
      int j = first[i];
      long sum =
          (long) weights[i] * three[j]
              + (long) weights[n + i] * three[j + 1]
              + (long) weights[2 * n + i] * three[j + 2]
              + (long) weights[3 * n + i] * three[j + 3];
      a[i] = (((int) sum & MASK) + HALF) >> SHIFT;
      b[i] = (((int) (sum >>> LANE) & MASK) + HALF) >> SHIFT;
      c[i] = ((int) (sum >>> (2 * LANE)) + HALF) >> SHIFT;
    }
  }

  private static void many(
      long[] three, int[] first, int[] weights, int count, int n, int[] a, int[] b, int[] c) {
    for (int i = 0; i < n; i++) {
      int j = first[i];
      long sum = 0;
      int k = i;
      for (int t = 0; t < count; t++, k += n) {
        sum += weights[k] * three[j + t];
      }
      a[i] = (((int) sum & MASK) + HALF) >> SHIFT;
      b[i] = (((int) (sum >>> LANE) & MASK) + HALF) >> SHIFT;
      c[i] = ((int) (sum >>> (2 * LANE)) + HALF) >> SHIFT;
    }
  }
}
