package io.headrace.pipeline;

import io.headrace.codec.JpegScale;

/// How one axis of the planes of a JPEG becomes an axis of the result: the filter of [Taps] for
/// luminance; for chrominance the same after the upsampling that libjpeg-turbo would do.
///
/// Both are linear, so one set of weights does upsampling and resizing at once: chrominance goes
/// from its own resolution straight to the target. Upsampling by 2 gives the nearer sample 3/4 and
/// the farther 1/4, by 4 repeats samples: source `jdsample.c` of libjpeg-turbo (`h2v1_fancy`,
/// `h2v2_fancy`, `int_upsample`).
///
/// Of a picture that was shrunk while being decoded, boxes start and end between its samples, where
/// they would at full size.
final class PlaneTaps {
  private final AxisTaps luma = new AxisTaps();
  private final AxisTaps chroma = new AxisTaps();
  private double[] shares = new double[0];
  private double[] folded = new double[0];

  /// Where the box starts, in samples of luminance.
  private double boxFrom;

  /// From one output to the next, in samples of luminance.
  private double step;

  /// Half of the filter's width, in samples of luminance.
  private double reach;

  /// Samples of luminance that the picture has, and the first and the end of those in the box.
  private int samples;

  private int low;
  private int high;

  /// {@return weights of luminance}
  AxisTaps luma() {
    return luma;
  }

  /// {@return weights of chrominance}
  AxisTaps chroma() {
    return chroma;
  }

  /// Says what is resized to what.
  ///
  /// @param extent pixels of the picture along the axis, at full size
  /// @param boxStart first of those that are resized
  /// @param boxLength how many of them are resized
  /// @param resized what they are resized to
  /// @param scale at which the picture was decoded
  void box(int extent, int boxStart, int boxLength, int resized, JpegScale scale) {
    double shrink = scale.eighths() / 8.0;
    boxFrom = boxStart * shrink;
    step = boxLength * shrink / resized;
    reach = Math.max(step, 1.0);
    samples = scale.scaled(extent);
    low = (int) boxFrom;
    high = Math.min(samples, (int) Math.ceil((boxStart + (double) boxLength) * shrink));
  }

  /// {@return index of the first sample of luminance that an output needs}
  int start(int output) {
    return Math.clamp((int) (center(output) - reach + 0.5), low, high - 1);
  }

  /// {@return index just behind the last sample of luminance that an output needs}
  int end(int output) {
    return Math.clamp((int) (center(output) + reach + 0.5), low + 1, high);
  }

  private double center(int output) {
    return boxFrom + (output + 0.5) * step;
  }

  /// Prepares outputs of the box.
  ///
  /// @param from the first output wanted
  /// @param outputs how many are wanted
  /// @param mirrored whether they are wanted in descending order
  /// @param factor samples of luminance to one of chrominance: 1, 2 or 4; 0 if there is none
  void prepare(int from, int outputs, boolean mirrored, int factor) {
    int most = 2 * (int) Math.ceil(reach) + 1;
    if (shares.length < most) {
      shares = new double[most];
      folded = new double[most + 2];
    }
    luma.begin(outputs, most);
    chroma.begin(outputs, most + 2);
    double inverse = 1 / reach;
    int chromaSamples = factor == 0 ? 0 : Math.ceilDiv(samples, factor);
    for (int i = 0; i < outputs; i++) {
      int output = from + (mirrored ? outputs - 1 - i : i);
      double center = center(output);
      int start = start(output);
      int end = Math.max(end(output), start + 1);
      double sum = 0;
      for (int x = start; x < end; x++) {
        double share = Math.max(0, 1 - Math.abs(x + 0.5 - center) * inverse);
        shares[x - start] = share;
        sum += share;
      }
      if (sum == 0) {
        shares[0] = 1; // a box so narrow that it lies between two samples
      }
      while (end - start > 1 && shares[end - start - 1] == 0) {
        end--;
      }
      luma.set(i, shares, end - start, start);
      if (factor != 0) {
        fold(i, start, end, factor, chromaSamples);
      }
    }
    luma.end(outputs);
    if (factor != 0) {
      chroma.end(outputs);
    }
  }

  private void fold(int output, int start, int end, int factor, int chromaSamples) {
    int around = factor == 2 ? 1 : 0;
    int least = Math.max(0, (start - around) / factor);
    int most = Math.min(chromaSamples - 1, (end - 1 + around) / factor);
    for (int c = 0; c <= most - least; c++) {
      folded[c] = 0;
    }
    for (int x = start; x < end; x++) {
      double share = shares[x - start];
      int near = x / factor;
      if (factor == 2) {
        int far = Math.clamp((x & 1) == 0 ? near - 1L : near + 1L, 0, chromaSamples - 1);
        folded[near - least] += 0.75 * share;
        folded[far - least] += 0.25 * share;
      } else {
        folded[near - least] += share;
      }
    }
    chroma.set(output, folded, most - least + 1, least);
  }
}
