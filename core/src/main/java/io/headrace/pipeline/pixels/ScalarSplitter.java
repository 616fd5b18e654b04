package io.headrace.pipeline.pixels;

/// Splits rows in plain Java.
final class ScalarSplitter extends PlaneSplitter {
  @Override
  void row(byte[] pixels, byte[] red, byte[] green, byte[] blue, int n) {
    for (int i = 0; i < n; i++) {
      red[i] = pixels[3 * i];
      green[i] = pixels[3 * i + 1];
      blue[i] = pixels[3 * i + 2];
    }
  }
}
