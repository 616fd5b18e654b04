package io.headrace.pipeline;

import java.util.List;

/// The results of the steps on values, for each of the 256 values of a channel.
final class ValueTable {
  private ValueTable() {}

  /// {@return results by channel and value, in float32}
  static float[][] of(List<Step> steps) {
    float[][] table = new float[3][256];
    for (int c = 0; c < 3; c++) {
      for (int v = 0; v < 256; v++) {
        table[c][v] = apply(steps, c, v);
      }
    }
    return table;
  }

  private static float apply(List<Step> steps, int channel, int value) {
    float x = value;
    for (Step step : steps) {
      if (step instanceof Step.Normalize(List<Double> mean, List<Double> std, int range)) {
        float m = mean.get(channel).floatValue();
        float s = std.get(channel).floatValue();
        x = ((range == 1 ? x / 255f : x) - m) / s;
      } else if (step instanceof Step.Center) {
        x = x / 127.5f - 1f;
      }
    }
    return x;
  }

  /// {@return the upper half of a float32, rounded to nearest even; not for NaN}
  static short bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
  }
}
