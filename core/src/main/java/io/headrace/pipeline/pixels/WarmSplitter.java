package io.headrace.pipeline.pixels;

import io.headrace.natives.WarmKernel;

/// A splitter that is plain until the one with vectors is warm; this is checked for each image.
final class WarmSplitter extends PlaneSplitter {
  private static final WarmKernel WARM =
      new WarmKernel(
          "split", 2000, () -> rows(new ScalarSplitter()), () -> rows(new VectorSplitter()));

  private PlaneSplitter splitter = new ScalarSplitter();
  private boolean vectors;

  @Override
  void begin() {
    if (!vectors) {
      WARM.start();
      if (WARM.ready()) {
        vectors = true;
        splitter = new VectorSplitter();
      }
    }
  }

  @Override
  void row(byte[] pixels, byte[] red, byte[] green, byte[] blue, int n) {
    splitter.row(pixels, red, green, blue, n);
  }

  private static WarmKernel.Form rows(PlaneSplitter splitter) {
    int n = 480;
    byte[] pixels = new byte[3 * n + 256];
    byte[] row = new byte[n + 256];
    return () -> splitter.row(pixels, row, row, row, n);
  }
}
