package io.headrace.pipeline.resize;

/// Weights with which the pixels along one axis are summed into the pixels of a resized axis.
///
/// Output pixel `i` is the sum over `t < count` of `weights[i * count + t] * pixel(first[i] + t)`,
/// in fixed point with [#PRECISION_BITS] fractional bits. Weights are never negative. All
/// outputs have the same number of taps, unneeded ones being 0, so that loops can be unrolled.
///
/// The filter is a triangle, widened by the scale when shrinking. Source: `precompute_coeffs`,
/// `normalize_coeffs_8bpc` and `bilinear_filter` of Pillow's `src/libImaging/Resample.c`; doubles
/// are computed in its order, so that every weight is the same integer.
final class Taps {
  /// Fractional bits: 32 less 8 for the pixel and 2 for overshoot.
  static final int PRECISION_BITS = 22;

  /// Half of one, to round by.
  static final int HALF = 1 << (PRECISION_BITS - 1);

  private int in;
  private int out;
  private int from;
  private int outputs;
  private boolean mirrored;
  private int count;
  private int[] first = new int[0];
  private int[] weights = new int[0];
  private double[] raw = new double[0];

  /// {@return taps of every output pixel}
  int count() {
    return count;
  }

  /// {@return index of each output's first source pixel; `first[i] + count` is within the source}
  int[] first() {
    return first;
  }

  /// {@return weights, those of output `i` from `i * count`}
  int[] weights() {
    return weights;
  }

  /// Prepares the outputs `from` to `from + outputs` of an axis resized from `in` to `out` pixels.
  ///
  /// @param mirrored whether these outputs are wanted in descending order
  void prepare(int in, int out, int from, int outputs, boolean mirrored) {
    if (in == this.in
        && out == this.out
        && from == this.from
        && outputs == this.outputs
        && mirrored == this.mirrored) {
      return;
    }
    this.in = in;
    this.out = out;
    this.from = from;
    this.outputs = outputs;
    this.mirrored = mirrored;
    double scale = (double) in / out;
    double filterScale = Math.max(scale, 1.0);
    int stride = (int) Math.ceil(filterScale) * 2 + 1;
    grow(outputs, stride);
    count = 1;
    for (int i = 0; i < outputs; i++) {
      count = Math.max(count, window(i, stride, scale, filterScale));
    }
    for (int i = 0; i < outputs; i++) {
      align(i, stride);
    }
  }

  private void grow(int outputs, int stride) {
    if (first.length < outputs) {
      first = new int[outputs];
    }
    if (weights.length < outputs * stride) {
      weights = new int[outputs * stride];
    }
    if (raw.length < stride) {
      raw = new double[stride];
    }
  }

  /// Computes one window at `i * stride`, and returns its length without zeros at the ends.
  private int window(int i, int stride, double scale, double filterScale) {
    double center = (from + (mirrored ? outputs - 1 - i : i) + 0.5) * scale;
    double step = 1.0 / filterScale;
    int start = Math.max(0, (int) (center - filterScale + 0.5));
    int length = Math.min(in, (int) (center + filterScale + 0.5)) - start;
    double sum = 0;
    for (int t = 0; t < length; t++) {
      double distance = Math.abs((t + start - center + 0.5) * step);
      double weight = distance < 1.0 ? 1.0 - distance : 0.0;
      raw[t] = weight;
      sum += weight;
    }
    int base = i * stride;
    int lead = -1;
    int end = 0;
    for (int t = 0; t < length; t++) {
      double share = sum != 0.0 ? raw[t] / sum : raw[t];
      int weight = (int) (0.5 + share * (1 << PRECISION_BITS));
      weights[base + t] = weight;
      if (weight != 0) {
        lead = lead < 0 ? t : lead;
        end = t + 1;
      }
    }
    lead = Math.max(lead, 0);
    System.arraycopy(weights, base + lead, weights, base, end - lead);
    for (int t = end - lead; t < stride; t++) {
      weights[base + t] = 0;
    }
    first[i] = start + lead;
    return end - lead;
  }

  /// Moves one window from `i * stride` to `i * count`, and into the source if it overhangs.
  private void align(int i, int stride) {
    int overhang = Math.max(0, first[i] + count - in);
    int base = i * count;
    System.arraycopy(weights, i * stride, weights, base + overhang, count - overhang);
    for (int t = 0; t < overhang; t++) {
      weights[base + t] = 0;
    }
    first[i] -= overhang;
  }
}
