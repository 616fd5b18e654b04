package io.headrace.pipeline.resize;

/// A second pass that is plain until the one with vectors is warm; this is checked for each image.
/// [WarmAcross] warms both.
final class WarmDown extends DownFilter {
  private DownFilter filter = new ScalarDown();
  private boolean vectors;

  @Override
  void begin() {
    if (!vectors && WarmAcross.ready()) {
      vectors = true;
      filter = vector();
    }
  }

  @Override
  void sum(int[][] ring, int first, int[] weights, int count, int[] sums, int n) {
    filter.sum(ring, first, weights, count, sums, n);
  }

  @Override
  void pixels(int[] luma, int[] cb, int[] cr, int[] pixels, int n) {
    filter.pixels(luma, cb, cr, pixels, n);
  }

  @Override
  void rounded(int[] red, int[] green, int[] blue, int[] pixels, int n) {
    filter.rounded(red, green, blue, pixels, n);
  }

  @Override
  void normalised(int[] sums, float scale, float shift, float[] row, int n) {
    filter.normalised(sums, scale, shift, row, n);
  }

  @Override
  void interleave(int[] pixels, byte[] row, int n) {
    filter.interleave(pixels, row, n);
  }

  @Override
  void floats(
      int[] luma, int[] cb, int[] cr, float[] scales, float[] shifts, float[][] rows, int n) {
    filter.floats(luma, cb, cr, scales, shifts, rows, n);
  }
}
