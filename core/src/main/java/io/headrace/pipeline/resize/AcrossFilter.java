package io.headrace.pipeline.resize;

import io.headrace.natives.WarmKernel;
import java.lang.reflect.Constructor;

/// Filters rows of one plane along the row, to fixed-point numbers with [#RESULT_BITS]
/// fractional bits. All kinds give the same numbers, because no sum is rounded before it is
/// complete.
///
/// Reused for every image. There are two: [ScalarAcross] runs everywhere, and `VectorAcross` where
/// the JVM was started with `--add-modules jdk.incubator.vector`.
public abstract class AcrossFilter {
  /// Fractional bits of what comes out.
  static final int RESULT_BITS = 8;

  /// Bytes after the last sample that must be readable, and numbers after the last output that may
  /// be overwritten.
  static final int SLACK = 264;

  /// Bits by which sums are shifted, and half of what is lost.
  static final int SHIFT = AxisTaps.PRECISION_BITS - RESULT_BITS;

  static final int HALF = 1 << (SHIFT - 1);

  /// {@return whether the JVM has vectors}
  public static boolean vectors() {
    return WarmKernel.VECTORS;
  }

  /// Starts to warm the kernels with vectors in the background, and returns at once. Does nothing
  /// if the JVM has none.
  public static void warmUp() {
    if (WarmKernel.VECTORS) {
      WarmAcross.start();
    }
  }

  /// {@return whether filters with vectors are warm}
  public static boolean warm() {
    return WarmKernel.VECTORS && WarmAcross.ready();
  }

  /// {@return the fastest filter of this JVM once it is warm; at first, a plain one}
  static AcrossFilter fastest() {
    return WarmKernel.VECTORS ? new WarmAcross() : new ScalarAcross();
  }

  /// {@return the filter that needs the module, whose class must not be linked without it}
  static AcrossFilter vector() {
    try {
      Constructor<?> make =
          Class.forName("io.headrace.pipeline.resize.VectorAcross").getDeclaredConstructor();
      return (AcrossFilter) make.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Prepares for rows, which start with the first sample that the taps read.
  abstract void prepare(AxisTaps taps);

  /// Filters three rows.
  ///
  /// @param samples of the rows, and [#SLACK] bytes more
  /// @param stride from one row to the next
  /// @param a where outputs of the first row go, with room for [#SLACK] more
  abstract void rows(byte[] samples, int stride, int[] a, int[] b, int[] c);
}
