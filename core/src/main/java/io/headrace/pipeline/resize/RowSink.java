package io.headrace.pipeline.resize;

import static io.headrace.memory.LittleEndian.F32;
import static io.headrace.memory.LittleEndian.U16;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Turns finished rows of 8-bit values into elements of a tensor: normalise, cast, layout.
///
/// A value has only 256 possible results for each channel, so the first two are one look-up. Rows
/// come as planes: all reds, all greens, all blues. Little-endian in memory.
public final class RowSink {
  private static final int SHIFT = Taps.PRECISION_BITS;

  private final DType dtype;
  private final Layout layout;
  private final float[][] floats = new float[3][];
  private final short[][] shorts = new short[3][];
  private byte[] byteRow = new byte[0];
  private short[] shortRow = new short[0];
  private float[] floatRow = new float[0];
  private MemorySegment out = MemorySegment.NULL;
  private @Nullable RowWork work;
  private int[] worked = new int[0];
  private boolean upended;
  private int height;
  private int width;

  /// A sink for samples of these values.
  public RowSink(Values values) {
    dtype = values.dtype();
    layout = values.layout();
    for (int c = 0; c < 3; c++) {
      floats[c] = values.of(c);
      shorts[c] = new short[256];
      for (int v = 0; v < 256; v++) {
        float value = values.of(c, v);
        shorts[c][v] =
            dtype == DType.BFLOAT16 ? Values.bfloat16(value) : Float.floatToFloat16(value);
      }
    }
  }

  /// Says what is done to the rows of the tensors to come.
  ///
  /// @param work null for nothing
  public void work(@Nullable RowWork work) {
    this.work = work;
  }

  /// {@return whether something is done to the rows}
  boolean works() {
    return work != null;
  }

  /// Starts a tensor of `height` x `width` pixels at the start of `out`.
  ///
  /// @param upended whether row 0 is the lowest
  public void begin(MemorySegment out, int height, int width, boolean upended) {
    this.out = out;
    this.upended = upended;
    this.height = height;
    this.width = width;
    int n = 3 * width;
    switch (dtype) {
      case UINT8 -> byteRow = byteRow.length < n ? new byte[n] : byteRow;
      case FLOAT16, BFLOAT16 -> shortRow = shortRow.length < n ? new short[n] : shortRow;
      case FLOAT32 -> floatRow = floatRow.length < n ? new float[n] : floatRow;
    }
  }

  /// Writes row `y`.
  ///
  /// @param fixed [3, width], fixed point with [Taps#PRECISION_BITS] fractional bits, which
  ///     are cut off
  void row(int y, int[] fixed) {
    RowWork colours = work;
    int[] row = colours == null ? fixed : worked(colours, fixed);
    int place = upended ? height - 1 - y : y;
    switch (dtype) {
      case UINT8 -> bytes(place, row);
      case FLOAT16, BFLOAT16 -> shorts(place, row);
      case FLOAT32 -> floats(place, row);
    }
  }

  /// Writes row `y` of whole numbers.
  ///
  /// @param rgb [3, width], 0 to 255; its content is undefined afterwards
  public void pixelRow(int y, int[] rgb) {
    int n = 3 * width;
    for (int i = 0; i < n; i++) {
      rgb[i] <<= SHIFT;
    }
    row(y, rgb);
  }

  private int[] worked(RowWork colours, int[] fixed) {
    int n = 3 * width;
    if (worked.length < n) {
      worked = new int[n];
    }
    int[] row = worked;
    for (int i = 0; i < n; i++) {
      row[i] = fixed[i] >>> SHIFT;
    }
    colours.row(row, width);
    for (int i = 0; i < n; i++) {
      row[i] <<= SHIFT;
    }
    return row;
  }

  private void bytes(int y, int[] fixed) {
    int w = width;
    if (layout == Layout.HWC) {
      interleave(fixed, byteRow, w);
      MemorySegment.copy(byteRow, 0, out, JAVA_BYTE, element(0, 3L * y), 3 * w);
    } else {
      byte[] row = byteRow;
      for (int i = 0; i < 3 * w; i++) {
        row[i] = (byte) (fixed[i] >>> SHIFT);
      }
      for (int c = 0; c < 3; c++) {
        MemorySegment.copy(row, c * w, out, JAVA_BYTE, element(c, y), w);
      }
    }
  }

  private static void interleave(int[] fixed, byte[] row, int w) {
    for (int x = 0; x < w; x++) {
      row[3 * x] = (byte) (fixed[x] >>> SHIFT);
      row[3 * x + 1] = (byte) (fixed[w + x] >>> SHIFT);
      row[3 * x + 2] = (byte) (fixed[2 * w + x] >>> SHIFT);
    }
  }

  private void shorts(int y, int[] fixed) {
    int w = width;
    if (layout == Layout.HWC) {
      interleave(fixed, shorts[0], shorts[1], shorts[2], shortRow, w);
      MemorySegment.copy(shortRow, 0, out, U16, Short.BYTES * element(0, 3L * y), 3 * w);
    } else {
      for (int c = 0; c < 3; c++) {
        plane(fixed, c * w, shorts[c], shortRow, w);
        MemorySegment.copy(shortRow, 0, out, U16, Short.BYTES * element(c, y), w);
      }
    }
  }

  private static void interleave(
      int[] fixed, short[] red, short[] green, short[] blue, short[] row, int w) {
    for (int x = 0; x < w; x++) {
      row[3 * x] = red[fixed[x] >>> SHIFT];
      row[3 * x + 1] = green[fixed[w + x] >>> SHIFT];
      row[3 * x + 2] = blue[fixed[2 * w + x] >>> SHIFT];
    }
  }

  private static void plane(int[] fixed, int start, short[] table, short[] row, int w) {
    for (int x = 0; x < w; x++) {
      row[x] = table[fixed[start + x] >>> SHIFT];
    }
  }

  private void floats(int y, int[] fixed) {
    int w = width;
    if (layout == Layout.HWC) {
      interleave(fixed, floats[0], floats[1], floats[2], floatRow, w);
      MemorySegment.copy(floatRow, 0, out, F32, Float.BYTES * element(0, 3L * y), 3 * w);
    } else {
      for (int c = 0; c < 3; c++) {
        plane(fixed, c * w, floats[c], floatRow, w);
        MemorySegment.copy(floatRow, 0, out, F32, Float.BYTES * element(c, y), w);
      }
    }
  }

  private static void interleave(
      int[] fixed, float[] red, float[] green, float[] blue, float[] row, int w) {
    for (int x = 0; x < w; x++) {
      row[3 * x] = red[fixed[x] >>> SHIFT];
      row[3 * x + 1] = green[fixed[w + x] >>> SHIFT];
      row[3 * x + 2] = blue[fixed[2 * w + x] >>> SHIFT];
    }
  }

  private static void plane(int[] fixed, int start, float[] table, float[] row, int w) {
    for (int x = 0; x < w; x++) {
      row[x] = table[fixed[start + x] >>> SHIFT];
    }
  }

  /// {@return elements before a row of a plane}
  private long element(int plane, long y) {
    return ((long) plane * height + y) * width;
  }
}
