package io.headrace.pipeline.resize;

/// Weights with which the samples along one axis of a plane are summed into output pixels.
///
/// Output `i` is the sum over `t < count` of `weights[t * outputs + i] * sample(first[i] + t)`, in
/// fixed point with [#PRECISION_BITS] fractional bits. Weights are never negative, and those
/// of an output add up to exactly one: a sum of bytes stays below 2²¹, so that three fit into a
/// long, and a float holds each exactly.
final class AxisTaps {
  /// Fractional bits.
  static final int PRECISION_BITS = 13;

  private static final int ONE = 1 << PRECISION_BITS;

  private int outputs;
  private int count;
  private int begin;
  private int end;
  private int[] first = new int[0];
  private int[] weights = new int[0];

  /// {@return outputs}
  int outputs() {
    return outputs;
  }

  /// {@return taps of every output}
  int count() {
    return count;
  }

  /// {@return index of each output's first sample}
  int[] first() {
    return first;
  }

  /// {@return weights, those of all outputs' tap `t` from `t * outputs`}
  int[] weights() {
    return weights;
  }

  /// {@return index of the first sample that is read}
  int begin() {
    return begin;
  }

  /// {@return index one after the last sample that is read}
  int end() {
    return end;
  }

  /// Starts anew.
  ///
  /// @param count taps that the widest output may have
  /// @param begin index of the first sample that may be read
  /// @param end index one after the last
  void start(int outputs, int count, int begin, int end) {
    this.outputs = outputs;
    this.count = Math.min(count, end - begin);
    this.begin = begin;
    this.end = end;
    if (first.length < outputs) {
      first = new int[outputs];
    }
    if (weights.length < outputs * this.count) {
      weights = new int[outputs * this.count];
    }
  }

  /// Sets the window of one output.
  ///
  /// Rounding errors are carried from tap to tap, so that they cancel.
  ///
  /// @param shares weight of each tap before rounding, from `at` on, not negative; 0 for samples
  ///     that must not be
  ///     read. The least that is above 0 is not rounded to 0
  /// @param sum of the shares, above 0
  /// @param n shares
  /// @param start index of the first sample
  void set(int output, double[] shares, int at, double sum, int n, int start) {
    int shift = start - Math.clamp(start, begin, end - count);
    if (shift != 0 || n != count) {
      setShifted(output, shares, at, sum, n, shift);
      first[output] = start - shift;
      return;
    }
    first[output] = start;
    double scale = ONE / sum;
    double upTo = 0.5;
    int given = 0;
    int k = output;
    for (int t = 0; t < n; t++, k += outputs) {
      upTo += shares[at + t] * scale;
      int next = (int) upTo;
      weights[k] = next - given;
      given = next;
    }
  }

  /// Tap `t` is of share `t - shift`.
  private void setShifted(int output, double[] shares, int at, double sum, int n, int shift) {
    double scale = ONE / sum;
    double upTo = 0.5;
    int given = 0;
    int k = output;
    for (int t = 0; t < count; t++, k += outputs) {
      int share = t - shift;
      upTo += share >= 0 && share < n ? shares[at + share] * scale : 0;
      int next = (int) upTo;
      weights[k] = next - given;
      given = next;
    }
  }
}
