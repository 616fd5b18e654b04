package io.headrace.pipeline.resize;

import io.headrace.codec.JpegScale;
import io.headrace.natives.WarmKernel;

/// A filter that is plain until the one with vectors is warm; this is checked for each image.
final class WarmAcross extends AcrossFilter {
  private static final WarmKernel WARM =
      new WarmKernel(
          "across",
          100,
          () -> rows(new ScalarAcross(), new ScalarDown()),
          () -> rows(vector(), DownFilter.vector()));

  private AcrossFilter filter = new ScalarAcross();
  private boolean vectors;

  /// {@return whether vectors are the faster, in both passes}
  static boolean ready() {
    return WARM.ready();
  }

  /// Begins to warm both passes, unless that has begun.
  static void start() {
    WARM.start();
  }

  WarmAcross() {
    start();
  }

  @Override
  void prepare(AxisTaps taps) {
    if (!vectors && WARM.ready()) {
      vectors = true;
      filter = vector();
    }
    filter.prepare(taps);
  }

  @Override
  void rows(byte[] samples, int stride, int[] a, int[] b, int[] c) {
    filter.rows(samples, stride, a, b, c);
  }

  /// {@return rows of a photo, filtered over and over again, by three taps, by four and by six}
  ///
  /// @param down makes elements of them
  private static WarmKernel.Form rows(AcrossFilter filter, DownFilter down) {
    int width = 640;
    int edge = 224;
    int[] boxes = {300, 400, width};
    var taps = new PlaneTaps[boxes.length];
    for (int i = 0; i < boxes.length; i++) {
      taps[i] = new PlaneTaps();
      taps[i].box(width, 0, boxes[i], edge, JpegScale.FULL);
      taps[i].prepare(0, edge, false, 2);
    }
    byte[] samples = new byte[width + SLACK];
    int[][] ring = new int[4][edge + SLACK];
    int[] weights = {1, 1, 1, 1};
    int[] sums = new int[edge + SLACK];
    int[] pixels = new int[edge + SLACK];
    byte[] bytes = new byte[Integer.BYTES * (edge + SLACK)];
    float[] values = {1, 1, 1};
    float[][] floats = new float[3][edge + SLACK];
    int[] turn = new int[1];
    return () -> {
      filter.prepare(taps[turn[0]++ % taps.length].luma());
      filter.rows(samples, 0, ring[0], ring[1], ring[2]);
      down.sum(ring, 0, weights, 3 + turn[0] % 2, sums, edge);
      down.pixels(sums, sums, sums, pixels, edge);
      down.rounded(sums, sums, sums, pixels, edge);
      down.interleave(pixels, bytes, edge);
      down.normalised(sums, 1, 1, floats[0], edge);
      down.floats(sums, sums, sums, values, values, floats, edge);
    };
  }
}
