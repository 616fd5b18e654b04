package io.headrace.pipeline.resize;

import java.lang.reflect.Constructor;

/// The second pass over planes: sums rows down the columns, turns sums into colours and colours
/// into elements. All kinds give the same numbers.
///
/// There are two: [ScalarDown] runs everywhere, and `VectorDown` where the JVM was started with
/// `--add-modules jdk.incubator.vector`. Arrays that come in or go out have room for
/// [AcrossFilter#SLACK] more numbers, with any content. Confined to one thread.
abstract class DownFilter {
  /// {@return the fastest filter of this JVM once it is warm; at first, a plain one}
  static DownFilter fastest() {
    return AcrossFilter.vectors() ? new WarmDown() : new ScalarDown();
  }

  /// {@return the filter that needs the module, whose class must not be linked without it}
  static DownFilter vector() {
    try {
      Constructor<?> make =
          Class.forName("io.headrace.pipeline.resize.VectorDown").getDeclaredConstructor();
      return (DownFilter) make.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Says that an image begins.
  void begin() {}

  /// Sums rows of one plane.
  ///
  /// @param ring rows, row `y` at `y` modulo its length, a power of two
  /// @param first the first row read
  /// @param weights of `count` rows, in fixed point with [AxisTaps#PRECISION_BITS]
  /// @param count rows read, at least 1
  /// @param sums fixed point with [YuvColours#SUM_BITS]
  /// @param n sums wanted
  abstract void sum(int[][] ring, int first, int[] weights, int count, int[] sums, int n);

  /// Makes whole colours of sums.
  ///
  /// @param pixels red in the lowest byte, then green and blue
  abstract void pixels(int[] luma, int[] cb, int[] cr, int[] pixels, int n);

  /// Makes whole colours of sums that are colours.
  ///
  /// @param pixels red in the lowest byte, then green and blue
  abstract void rounded(int[] red, int[] green, int[] blue, int[] pixels, int n);

  /// Writes pixels as three bytes each.
  ///
  /// @param row with room for what `n` pixels and the slack take as four bytes each
  abstract void interleave(int[] pixels, byte[] row, int n);

  /// Makes colours of sums and normalises them.
  ///
  /// @param scales by channel: a float is `colour * scale + shift`, the colour in fixed point with
  ///     [YuvColours#BITS]
  /// @param rows where floats go, by channel
  abstract void floats(
      int[] luma, int[] cb, int[] cr, float[] scales, float[] shifts, float[][] rows, int n);

  /// Normalises sums that are colours.
  ///
  /// @param sums of one channel
  /// @param scale of colours in fixed point with [YuvColours#BITS]
  /// @param row where floats go
  abstract void normalised(int[] sums, float scale, float shift, float[] row, int n);
}
