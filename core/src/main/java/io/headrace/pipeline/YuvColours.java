package io.headrace.pipeline;

/// Makes red, green and blue of luminance and chrominance, as JFIF 1.02 says: the coefficients of
/// ITU-R BT.601, in full range.
///
/// All in fixed point. What comes in has [#SUM_BITS] bits behind the point and what comes out
/// [Taps#PRECISION_BITS], with half of one added, for [RowSink] cuts off. One small loop for each
/// channel, so that the JIT makes vector instructions of it.
final class YuvColours {
  /// Bits behind the point of [PlaneRows#row].
  static final int SUM_BITS = AxisTaps.PRECISION_BITS + AcrossFilter.RESULT_BITS;

  private static final int UP = Taps.PRECISION_BITS - SUM_BITS;
  private static final int DOWN = SUM_BITS - AcrossFilter.RESULT_BITS;
  private static final int COEFFICIENT_BITS = Taps.PRECISION_BITS - AcrossFilter.RESULT_BITS;
  private static final int NEUTRAL = 128 << AcrossFilter.RESULT_BITS;
  private static final int HALF = Taps.HALF;
  private static final int MOST = (256 << Taps.PRECISION_BITS) - 1;

  private static final int RED_OF_CR = coefficient(1.402);
  private static final int GREEN_OF_CB = coefficient(0.344136286);
  private static final int GREEN_OF_CR = coefficient(0.714136286);
  private static final int BLUE_OF_CB = coefficient(1.772);

  private YuvColours() {}

  private static int coefficient(double value) {
    return (int) Math.round(value * (1 << COEFFICIENT_BITS));
  }

  /// {@return what is below 0, at 0; what is above 255.5, just below 256}
  private static int clamp(int x) {
    return Math.max(0, Math.min(MOST, x));
  }

  static void grey(int[] luma, int[] out, int start, int n) {
    for (int i = 0; i < n; i++) {
      out[start + i] = (luma[i] << UP) + HALF;
    }
  }

  static void red(int[] luma, int[] cr, int[] out, int start, int n) {
    for (int i = 0; i < n; i++) {
      out[start + i] = clamp((luma[i] << UP) + HALF + RED_OF_CR * ((cr[i] >> DOWN) - NEUTRAL));
    }
  }

  static void green(int[] luma, int[] cb, int[] cr, int[] out, int start, int n) {
    for (int i = 0; i < n; i++) {
      out[start + i] =
          clamp(
              (luma[i] << UP)
                  + HALF
                  - GREEN_OF_CB * ((cb[i] >> DOWN) - NEUTRAL)
                  - GREEN_OF_CR * ((cr[i] >> DOWN) - NEUTRAL));
    }
  }

  static void blue(int[] luma, int[] cb, int[] out, int start, int n) {
    for (int i = 0; i < n; i++) {
      out[start + i] = clamp((luma[i] << UP) + HALF + BLUE_OF_CB * ((cb[i] >> DOWN) - NEUTRAL));
    }
  }
}
