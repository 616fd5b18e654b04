package io.headrace.pipeline.resize;

import io.headrace.codec.JpegScale;
import java.util.Arrays;

/// How one axis of the planes of a JPEG becomes an axis of the result: the filter of [Taps] for
/// luminance; for chrominance the same after the upsampling that libjpeg-turbo would do.
///
/// Both are linear, so one set of weights does upsampling and resizing at once: chrominance goes
/// from its own resolution straight to the target. Upsampling by 2 gives the nearer sample 3/4 and
/// the farther 1/4, by 4 repeats samples: source `jdsample.c` of libjpeg-turbo (`h2v1_fancy`,
/// `h2v2_fancy`, `int_upsample`).
///
/// In a picture that was shrunk while being decoded, boxes start and end between its samples, where
/// they would at full size.
final class PlaneTaps {
  /// Zeros around shares, so that loops need no checks at the ends.
  private static final int MARGIN = 4;

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
  private int chromaSamples;

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
    return Math.max(low, Math.min(high - 1, (int) (center(output) - reach + 0.5)));
  }

  /// {@return index one after the last sample of luminance that an output needs}
  int end(int output) {
    return Math.max(low + 1, Math.min(high, (int) (center(output) + reach + 0.5)));
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
    int begin = start(from);
    int last = Math.max(end(from + outputs - 1), begin + 1);
    int most = (int) Math.ceil(2 * reach);
    luma.start(outputs, most, begin, last);
    if (shares.length < most + 2 * MARGIN) {
      shares = new double[most + 2 * MARGIN];
      folded = new double[most + 2 * MARGIN];
    }
    chromaSamples = factor == 0 ? 0 : Math.ceilDiv(samples, factor);
    if (factor != 0) {
      int around = factor == 2 ? 1 : 0;
      int chromaBegin = Math.max(0, begin - around) / factor;
      int chromaEnd = Math.min(chromaSamples, (last - 1 + around) / factor + 1);
      chroma.start(outputs, factor == 1 ? most : most / factor + 2, chromaBegin, chromaEnd);
    }
    for (int i = 0; i < outputs; i++) {
      int output = from + (mirrored ? outputs - 1 - i : i);
      int start = (int) Math.floor(center(output) - reach + 0.5);
      double sum = share(center(output), start, most);
      luma.set(i, shares, MARGIN, sum, most, start);
      switch (factor) {
        case 0 -> {}
        case 1 -> chroma.set(i, shares, MARGIN, sum, most, start);
        case 2 -> half(i, start, most, sum);
        default -> repeated(i, start, most, sum, factor);
      }
    }
  }

  /// Fills [#shares] from [#MARGIN] on, zeros around. There are branches only at the box's edges,
  /// since a branch on whether the last sample counts could not be predicted.
  ///
  /// @return their sum
  private double share(double center, int start, int n) {
    double inverse = 1 / reach;
    double sum = 0;
    for (int t = 0; t < n; t++) {
      double share = Math.max(0, 1 - Math.abs(start + t + 0.5 - center) * inverse);
      shares[MARGIN + t] = share;
      sum += share;
    }
    for (int t = n; t < n + MARGIN; t++) {
      shares[MARGIN + t] = 0;
    }
    if (start < low || start + n > high || sum == 0) {
      sum = 0;
      for (int t = 0; t < n; t++) {
        if (start + t < low || start + t >= high) {
          shares[MARGIN + t] = 0;
        }
        sum += shares[MARGIN + t];
      }
      if (sum == 0) { // a box so narrow that it lies between two samples
        shares[MARGIN + Math.clamp((long) low - start, 0, n - 1)] = 1;
        sum = 1;
      }
    }
    return sum;
  }

  /// Chrominance of half the resolution: a sample gives 3/4 to the two that it covers, 1/4 to their
  /// neighbours.
  private void half(int output, int start, int n, double sum) {
    int least = (start - 1) >> 1;
    int taps = n / 2 + 2;
    for (int c = 0; c < taps; c++) {
      int x = MARGIN + 2 * (least + c) - start;
      folded[MARGIN + c] =
          0.25 * (shares[x - 1] + shares[x + 2]) + 0.75 * (shares[x] + shares[x + 1]);
    }
    if (least < 0) { // the picture's first sample is its own neighbour
      int t = MARGIN - start;
      folded[MARGIN - least] += 0.25 * shares[t];
    }
    int last = chromaSamples - 1;
    if (least + taps > last && 2 * last + 1 < samples && 2 * last + 1 - start < n) {
      folded[MARGIN + last - least] += 0.25 * shares[MARGIN + 2 * last + 1 - start];
    }
    chroma.set(output, folded, MARGIN, sum, taps, least);
  }

  private void repeated(int output, int start, int n, double sum, int factor) {
    int least = Math.floorDiv(start, factor);
    int taps = n / factor + 2;
    Arrays.fill(folded, MARGIN, MARGIN + taps, 0);
    for (int t = 0; t < n; t++) {
      folded[MARGIN + Math.floorDiv(start + t, factor) - least] += shares[MARGIN + t];
    }
    chroma.set(output, folded, MARGIN, sum, taps, least);
  }
}
