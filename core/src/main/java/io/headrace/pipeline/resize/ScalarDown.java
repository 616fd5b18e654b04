package io.headrace.pipeline.resize;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The second pass in plain Java: small loops over arrays that start at 0, so that the JIT
/// vectorises them.
final class ScalarDown extends DownFilter {
  private static final int BITS = YuvColours.BITS;
  private static final int HALF = YuvColours.HALF;
  private static final int UP = YuvColours.UP;
  private static final int MAX = YuvColours.MAX;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private int[] red = new int[0];
  private int[] green = new int[0];
  private int[] blue = new int[0];

  @Override
  void sum(int[][] ring, int first, int[] weights, int count, int[] sums, int n) {
    RowFilter.down(ring, first, weights, 0, count, 0, sums, n);
  }

  @Override
  void pixels(int[] luma, int[] cb, int[] cr, int[] pixels, int n) {
    colours(luma, cb, cr, n);
    pack(red, green, blue, pixels, n);
  }

  private void colours(int[] luma, int[] cb, int[] cr, int n) {
    if (red.length < n) {
      red = new int[n];
      green = new int[n];
      blue = new int[n];
    }
    YuvColours.red(luma, cr, red, n);
    YuvColours.green(luma, cb, cr, green, n);
    YuvColours.blue(luma, cb, blue, n);
  }

  private static void pack(int[] red, int[] green, int[] blue, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      pixels[i] =
          ((red[i] + HALF) >>> BITS)
              | ((green[i] + HALF) >>> BITS) << 8
              | ((blue[i] + HALF) >>> BITS) << 16;
    }
  }

  @Override
  void rounded(int[] red, int[] green, int[] blue, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      pixels[i] =
          ((Math.min(MAX, red[i] << UP) + HALF) >>> BITS)
              | ((Math.min(MAX, green[i] << UP) + HALF) >>> BITS) << 8
              | ((Math.min(MAX, blue[i] << UP) + HALF) >>> BITS) << 16;
    }
  }

  /// Writes two pixels at a time.
  @Override
  void interleave(int[] pixels, byte[] row, int n) {
    for (int i = 0; i < n; i += 2) {
      LONGS.set(row, 3 * i, pixels[i] | (long) pixels[i + 1] << 24);
    }
  }

  @Override
  void floats(
      int[] luma, int[] cb, int[] cr, float[] scales, float[] shifts, float[][] rows, int n) {
    colours(luma, cb, cr, n);
    normalise(red, scales[0], shifts[0], rows[0], n);
    normalise(green, scales[1], shifts[1], rows[1], n);
    normalise(blue, scales[2], shifts[2], rows[2], n);
  }

  @Override
  void normalised(int[] sums, float scale, float shift, float[] row, int n) {
    for (int i = 0; i < n; i++) {
      row[i] = Math.min(MAX, sums[i] << UP) * scale + shift;
    }
  }

  private static void normalise(int[] colour, float scale, float shift, float[] row, int n) {
    for (int i = 0; i < n; i++) {
      row[i] = colour[i] * scale + shift;
    }
  }
}
