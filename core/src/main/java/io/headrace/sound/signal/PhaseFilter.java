package io.headrace.sound.signal;

import io.headrace.natives.WarmKernel;

/// Filters many samples of one phase, whose taps lie the same way in the sound. In plain Java;
/// `VectorPhaseFilter` gives the same bits.
class PhaseFilter {
  static final PhaseFilter PLAIN = new PhaseFilter();
  private static final WarmKernel WARM =
      new WarmKernel("resample", 50, () -> form(PLAIN), () -> form(Warm.VECTORS));

  /// Loaded only where there are vectors.
  private static final class Warm {
    static final PhaseFilter VECTORS = new VectorPhaseFilter();
  }

  PhaseFilter() {}

  /// {@return the one with vectors once it is warm; at first, the plain one}
  static PhaseFilter fastest() {
    if (WarmKernel.VECTORS && !WARM.ready()) {
      WARM.start();
      return PLAIN;
    }
    return WarmKernel.VECTORS ? Warm.VECTORS : PLAIN;
  }

  private static WarmKernel.Form form(PhaseFilter filter) {
    int n = 1366;
    float[] planes = new float[3 * (n + 64)];
    float[] out = new float[n + 16];
    float[] weights = new float[40];
    int[] places = new int[40];
    for (int tap = 0; tap < places.length; tap++) {
      places[tap] = tap % 3 * (n + 64) + tap / 3;
    }
    return () -> {
      filter.run(planes, places, weights, 0, out, n);
      planes[7] = out[5] + 1;
    };
  }

  /// {@return whether it is worth it: else samples are made one by one}
  boolean pays() {
    return this != PLAIN;
  }

  /// Makes the samples of one phase. Even taps are summed, and odd ones; then both.
  ///
  /// @param planes of the sound
  /// @param places of the first sample's taps in them; those of the next are one further
  /// @param weights of the taps, from `weight` on
  /// @param out takes `n` samples
  void run(float[] planes, int[] places, float[] weights, int weight, float[] out, int n) {
    runFrom(0, planes, places, weights, weight, out, n);
  }

  static void runFrom(
      int begin, float[] planes, int[] places, float[] weights, int weight, float[] out, int n) {
    for (int i = begin; i < n; i++) {
      float a = 0;
      float b = 0;
      for (int tap = 0; tap < places.length; tap += 2) {
        a += planes[places[tap] + i] * weights[weight + tap];
        b += planes[places[tap + 1] + i] * weights[weight + tap + 1];
      }
      out[i] = a + b;
    }
  }
}
