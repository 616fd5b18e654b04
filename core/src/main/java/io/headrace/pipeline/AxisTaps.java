package io.headrace.pipeline;

/// Weights with which the samples along one axis of a plane are summed into output pixels.
///
/// Output `i` is the sum over `t < count` of `weights[i * count + t] * sample(first[i] + t)`, in
/// fixed point with [#PRECISION_BITS] bits behind the point. Weights are never negative, and those
/// of an output add up to exactly one: a sum of bytes stays below 2²¹, so that three fit a long,
/// and a float holds each exactly.
final class AxisTaps {
  /// Bits behind the point.
  static final int PRECISION_BITS = 13;

  private static final int ONE = 1 << PRECISION_BITS;

  private int count;
  private int stride;
  private int end;
  private int[] first = new int[0];
  private int[] weights = new int[0];

  /// {@return taps of every output}
  int count() {
    return count;
  }

  /// {@return index of each output's first sample}
  int[] first() {
    return first;
  }

  /// {@return weights, those of output `i` from `i * count`}
  int[] weights() {
    return weights;
  }

  /// Makes room for `outputs` outputs of at most `most` taps.
  void begin(int outputs, int most) {
    count = 1;
    end = 0;
    stride = most;
    if (first.length < outputs) {
      first = new int[outputs];
    }
    if (weights.length < outputs * most) {
      weights = new int[outputs * most];
    }
  }

  /// Sets the window of one output.
  ///
  /// Rounding errors are carried from tap to tap, so that they cancel.
  ///
  /// @param shares what each tap counts, not negative; their sum may be anything above 0
  /// @param n taps
  /// @param start index of the first sample
  void set(int output, double[] shares, int n, int start) {
    double sum = 0;
    for (int t = 0; t < n; t++) {
      sum += shares[t];
    }
    double scale = ONE / sum;
    int base = output * stride;
    double upTo = 0;
    int given = 0;
    for (int t = 0; t < n; t++) {
      upTo += shares[t];
      int next = t == n - 1 ? ONE : (int) (upTo * scale + 0.5);
      weights[base + t] = next - given;
      given = next;
    }
    for (int t = n; t < stride; t++) {
      weights[base + t] = 0;
    }
    first[output] = start;
    end = Math.max(end, start + n);
    count = Math.max(count, n);
  }

  /// Gives all outputs the same number of taps, none of them beyond the last that was set.
  void end(int outputs) {
    for (int i = 0; i < outputs; i++) {
      int overhang = Math.max(0, first[i] + count - end);
      int base = i * count;
      System.arraycopy(weights, i * stride, weights, base + overhang, count - overhang);
      for (int t = 0; t < overhang; t++) {
        weights[base + t] = 0;
      }
      first[i] -= overhang;
    }
  }

  /// {@return index of the first sample that any of the outputs needs}
  int firstOf(int outputs) {
    int least = first[0];
    for (int i = 1; i < outputs; i++) {
      least = Math.min(least, first[i]);
    }
    return least;
  }

  /// {@return index just behind the last sample that any of the outputs needs}
  int endOf(int outputs) {
    int most = first[0];
    for (int i = 1; i < outputs; i++) {
      most = Math.max(most, first[i]);
    }
    return most + count;
  }
}
