package io.headrace.pipeline.resize;

/// Turns luminance and chrominance into red, green and blue, as JFIF 1.02 says: the coefficients of
/// ITU-R BT.601, in full range.
///
/// All in fixed point. What comes in has [#SUM_BITS] fractional bits, what comes out has
/// [#BITS] and is between 0 and 255. One small loop for each channel over arrays that all start at
/// 0, so that the JIT vectorises it.
final class YuvColours {
  /// Fractional bits of [PlaneRows#row].
  static final int SUM_BITS = AxisTaps.PRECISION_BITS + AcrossFilter.RESULT_BITS;

  /// Fractional bits of colours.
  static final int BITS = 22;

  /// Half of one.
  static final int HALF = 1 << (BITS - 1);

  /// By how much luminance is shifted up to be a colour, and chrominance down.
  static final int UP = BITS - SUM_BITS;
  static final int DOWN = SUM_BITS - AcrossFilter.RESULT_BITS;
  private static final int COEFFICIENT_BITS = BITS - AcrossFilter.RESULT_BITS;
  /// Chrominance without colour, after that.
  static final int NEUTRAL = 128 << AcrossFilter.RESULT_BITS;
  static final int MAX = 255 << BITS;

  static final int RED_OF_CR = coefficient(1.402);
  static final int GREEN_OF_CB = coefficient(0.344136286);
  static final int GREEN_OF_CR = coefficient(0.714136286);
  static final int BLUE_OF_CB = coefficient(1.772);

  private YuvColours() {}

  private static int coefficient(double value) {
    return (int) Math.round(value * (1 << COEFFICIENT_BITS));
  }

  static void red(int[] luma, int[] cr, int[] red, int n) {
    for (int i = 0; i < n; i++) {
      int x = (luma[i] << UP) + RED_OF_CR * ((cr[i] >> DOWN) - NEUTRAL);
      red[i] = Math.max(0, Math.min(MAX, x));
    }
  }

  static void green(int[] luma, int[] cb, int[] cr, int[] green, int n) {
    for (int i = 0; i < n; i++) {
      int x =
          (luma[i] << UP)
              - GREEN_OF_CB * ((cb[i] >> DOWN) - NEUTRAL)
              - GREEN_OF_CR * ((cr[i] >> DOWN) - NEUTRAL);
      green[i] = Math.max(0, Math.min(MAX, x));
    }
  }

  static void blue(int[] luma, int[] cb, int[] blue, int n) {
    for (int i = 0; i < n; i++) {
      int x = (luma[i] << UP) + BLUE_OF_CB * ((cb[i] >> DOWN) - NEUTRAL);
      blue[i] = Math.max(0, Math.min(MAX, x));
    }
  }
}
