package io.headrace.pipeline;

import io.headrace.codec.JpegScale;
import io.headrace.codec.WarmKernel;

/// A filter that is plain until the one with vectors is warm, which is looked at for each image.
final class WarmAcross extends AcrossFilter {
  private static final WarmKernel WARM =
      new WarmKernel("across", 500, () -> rows(new ScalarAcross()), () -> rows(vector()));

  private AcrossFilter filter = new ScalarAcross();
  private boolean vectors;

  WarmAcross() {
    WARM.start();
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
  void rows(byte[] a, byte[] b, byte[] c, int[] outA, int[] outB, int[] outC) {
    filter.rows(a, b, c, outA, outB, outC);
  }

  /// {@return rows of a photo, filtered over and over again, by few taps and by many}
  private static WarmKernel.Form rows(AcrossFilter filter) {
    int width = 640;
    PlaneTaps few = new PlaneTaps();
    few.box(width, 0, 300, 224, JpegScale.FULL);
    few.prepare(0, 224, false, 2);
    PlaneTaps many = new PlaneTaps();
    many.box(width, 0, width, 224, JpegScale.FULL);
    many.prepare(0, 224, false, 2);
    byte[] samples = new byte[width + SLACK];
    int[] out = new int[224 + SLACK];
    int[] turn = new int[1];
    return () -> {
      filter.prepare((turn[0]++ % 2 == 0 ? few : many).luma());
      filter.rows(samples, samples, samples, out, out, out);
    };
  }
}
