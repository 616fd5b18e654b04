package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.memory.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Turns rows of colours in fixed point into elements of a tensor: normalise, cast, layout.
///
/// Elements of uint8 are rounded. Others are not: a float is `colour * scale + shift`, with the
/// fractions that resizing made. Little-endian in memory. Small loops over arrays that start at 0,
/// so that the JIT makes vector instructions of them.
final class ColourSink {
  private static final int BITS = YuvColours.BITS;
  private static final int HALF = 1 << (BITS - 1);
  private static final ValueLayout.OfFloat FLOATS =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORTS =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final DType dtype;
  private final Layout layout;
  private final float[] scales = new float[3];
  private final float[] shifts = new float[3];
  private final float[][] floats = new float[3][0];
  private final short[][] shorts = new short[3][0];
  private int[] pixels = new int[0];
  private byte[] byteRow = new byte[0];
  private short[] shortRow = new short[0];
  private float[] floatRow = new float[0];
  private MemorySegment out = MemorySegment.NULL;
  private int height;
  private int width;

  /// A sink for what `pipeline` makes of values.
  ColourSink(Pipeline pipeline) {
    dtype = pipeline.dtype();
    layout = pipeline.layout();
    float[][] table = ValueTable.of(pipeline.steps());
    for (int c = 0; c < 3; c++) {
      double range = (double) table[c][255] - table[c][0]; // all steps on values are linear
      scales[c] = (float) (range / 255 / (1 << BITS));
      shifts[c] = table[c][0];
    }
  }

  /// Starts a tensor of `height` x `width` pixels at the start of `out`.
  void begin(MemorySegment out, int height, int width) {
    this.out = out;
    this.height = height;
    this.width = width;
    if (pixels.length < width) {
      pixels = new int[width];
      byteRow = new byte[3 * width + Long.BYTES];
      if (dtype != DType.UINT8) {
        for (int c = 0; c < 3; c++) {
          floats[c] = new float[width];
          shorts[c] = new short[width];
        }
        floatRow = new float[3 * width];
        shortRow = new short[3 * width];
      }
    }
  }

  /// Writes `n` pixels of row `y`, from column `x` on.
  void row(int y, int x, int n, int[] red, int[] green, int[] blue) {
    if (dtype == DType.UINT8) {
      bytes(y, x, n, red, green, blue);
      return;
    }
    normalise(red, scales[0], shifts[0], floats[0], n);
    normalise(green, scales[1], shifts[1], floats[1], n);
    normalise(blue, scales[2], shifts[2], floats[2], n);
    if (dtype == DType.FLOAT32) {
      floats(y, x, n);
    } else {
      shorts(y, x, n);
    }
  }

  private void bytes(int y, int x, int n, int[] red, int[] green, int[] blue) {
    if (layout == Layout.HWC) {
      pack(red, green, blue, pixels, n);
      interleave(pixels, byteRow, n);
      MemorySegment.copy(byteRow, 0, out, JAVA_BYTE, 3 * element(0, y, x), 3 * n);
    } else {
      for (int c = 0; c < 3; c++) {
        round(c == 0 ? red : c == 1 ? green : blue, byteRow, n);
        MemorySegment.copy(byteRow, 0, out, JAVA_BYTE, element(c, y, x), n);
      }
    }
  }

  static void pack(int[] red, int[] green, int[] blue, int[] pixels, int n) {
    for (int i = 0; i < n; i++) {
      pixels[i] =
          ((red[i] + HALF) >>> BITS)
              | ((green[i] + HALF) >>> BITS) << 8
              | ((blue[i] + HALF) >>> BITS) << 16;
    }
  }

  /// Writes two pixels at a time, and two bytes too many.
  static void interleave(int[] pixels, byte[] row, int n) {
    int i = 0;
    for (; i + 1 < n; i += 2) {
      LONGS.set(row, 3 * i, pixels[i] | (long) pixels[i + 1] << 24);
    }
    if (i < n) {
      LONGS.set(row, 3 * i, (long) pixels[i]);
    }
  }

  static void round(int[] colour, byte[] row, int n) {
    for (int i = 0; i < n; i++) {
      row[i] = (byte) ((colour[i] + HALF) >>> BITS);
    }
  }

  private static void normalise(int[] colour, float scale, float shift, float[] row, int n) {
    for (int i = 0; i < n; i++) {
      row[i] = colour[i] * scale + shift;
    }
  }

  private void floats(int y, int x, int n) {
    if (layout == Layout.HWC) {
      interleave(floats[0], floats[1], floats[2], floatRow, n);
      MemorySegment.copy(floatRow, 0, out, FLOATS, 3 * Float.BYTES * element(0, y, x), 3 * n);
    } else {
      for (int c = 0; c < 3; c++) {
        MemorySegment.copy(floats[c], 0, out, FLOATS, Float.BYTES * element(c, y, x), n);
      }
    }
  }

  private static void interleave(float[] red, float[] green, float[] blue, float[] row, int n) {
    for (int i = 0; i < n; i++) {
      row[3 * i] = red[i];
      row[3 * i + 1] = green[i];
      row[3 * i + 2] = blue[i];
    }
  }

  private void shorts(int y, int x, int n) {
    for (int c = 0; c < 3; c++) {
      if (dtype == DType.BFLOAT16) {
        brains(floats[c], shorts[c], n);
      } else {
        halves(floats[c], shorts[c], n);
      }
    }
    if (layout == Layout.HWC) {
      interleave(shorts[0], shorts[1], shorts[2], shortRow, n);
      MemorySegment.copy(shortRow, 0, out, SHORTS, 3 * Short.BYTES * element(0, y, x), 3 * n);
    } else {
      for (int c = 0; c < 3; c++) {
        MemorySegment.copy(shorts[c], 0, out, SHORTS, Short.BYTES * element(c, y, x), n);
      }
    }
  }

  private static void halves(float[] from, short[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = Float.floatToFloat16(from[i]);
    }
  }

  private static void brains(float[] from, short[] to, int n) {
    for (int i = 0; i < n; i++) {
      to[i] = ValueTable.bfloat16(from[i]);
    }
  }

  private static void interleave(short[] red, short[] green, short[] blue, short[] row, int n) {
    for (int i = 0; i < n; i++) {
      row[3 * i] = red[i];
      row[3 * i + 1] = green[i];
      row[3 * i + 2] = blue[i];
    }
  }

  /// {@return elements of a plane before a pixel, and of the planes before it}
  private long element(int plane, long y, int x) {
    return ((long) plane * height + y) * width + x;
  }
}
