package io.headrace.pipeline.resize;

import static io.headrace.memory.LittleEndian.F32;
import static io.headrace.memory.LittleEndian.U16;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Turns rows of colours in fixed point into elements of a tensor: normalise, cast, layout.
///
/// Elements of uint8 are rounded. Others are not: a float is `colour * scale + shift`, with the
/// fractions that resizing made. Little-endian in memory. Small loops over arrays that start at 0,
/// so that the JIT vectorises them.
public final class ColourSink {
  private static final int BITS = YuvColours.BITS;

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
  private @Nullable RowSink worked;
  private int[] whole = new int[0];
  private boolean upended;
  private int height;
  private int width;

  /// A sink for samples of these values.
  public ColourSink(Values values) {
    dtype = values.dtype();
    layout = values.layout();
    for (int c = 0; c < 3; c++) {
      double range = (double) values.of(c, 255) - values.of(c, 0); // all steps on them are linear
      scales[c] = (float) (range / 255 / (1 << BITS));
      shifts[c] = values.of(c, 0);
    }
  }

  /// Starts a tensor of `height` x `width` pixels at the start of `out`.
  ///
  /// @param upended whether row 0 is the lowest
  /// @param rows takes the rows instead, as whole numbers, if something is done to them; of the
  ///     same values. They are then whole: nothing overhangs
  void begin(MemorySegment out, int height, int width, boolean upended, RowSink rows) {
    this.out = out;
    this.upended = upended;
    worked = rows.works() ? rows : null;
    if (worked != null) {
      worked.begin(out, height, width, upended);
      if (whole.length < 3 * width) {
        whole = new int[3 * width];
      }
    }
    this.height = height;
    this.width = width;
    if (pixels.length < width) {
      int room = width + AcrossFilter.SLACK;
      pixels = new int[room];
      byteRow = new byte[Integer.BYTES * room];
      if (dtype != DType.UINT8) {
        for (int c = 0; c < 3; c++) {
          floats[c] = new float[room];
          shorts[c] = new short[width];
        }
        floatRow = new float[3 * width];
        shortRow = new short[3 * width];
      }
    }
  }

  /// Writes `n` pixels of row `y`, from column `x` on.
  ///
  /// @param filter makes colours of sums and elements of colours
  /// @param luma sums, as those of chrominance
  void row(DownFilter filter, int y, int x, int n, int[] luma, int[] cb, int[] cr) {
    RowSink rows = worked;
    if (rows != null) {
      filter.pixels(luma, cb, cr, pixels, n);
      unpack(rows, y, n);
      return;
    }
    if (dtype == DType.UINT8) {
      filter.pixels(luma, cb, cr, pixels, n);
      bytes(filter, y, x, n);
      return;
    }
    filter.floats(luma, cb, cr, scales, shifts, floats, n);
    if (dtype == DType.FLOAT32) {
      floats(y, x, n);
    } else {
      shorts(y, x, n);
    }
  }

  /// Writes `n` pixels of row `y`, from column `x` on, of sums that are colours.
  ///
  /// @param filter rounds or normalises them
  void colourRow(DownFilter filter, int y, int x, int n, int[] red, int[] green, int[] blue) {
    RowSink rows = worked;
    if (rows != null) {
      filter.rounded(red, green, blue, pixels, n);
      unpack(rows, y, n);
      return;
    }
    if (dtype == DType.UINT8) {
      filter.rounded(red, green, blue, pixels, n);
      bytes(filter, y, x, n);
      return;
    }
    filter.normalised(red, scales[0], shifts[0], floats[0], n);
    filter.normalised(green, scales[1], shifts[1], floats[1], n);
    filter.normalised(blue, scales[2], shifts[2], floats[2], n);
    if (dtype == DType.FLOAT32) {
      floats(y, x, n);
    } else {
      shorts(y, x, n);
    }
  }

  private void unpack(RowSink rows, int y, int n) {
    int[] from = pixels;
    int[] to = whole;
    for (int i = 0; i < n; i++) {
      to[i] = from[i] & 0xff;
      to[n + i] = (from[i] >>> 8) & 0xff;
      to[2 * n + i] = (from[i] >>> 16) & 0xff;
    }
    rows.pixelRow(y, to);
  }

  private void bytes(DownFilter filter, int y, int x, int n) {
    if (layout == Layout.HWC) {
      filter.interleave(pixels, byteRow, n);
      MemorySegment.copy(byteRow, 0, out, JAVA_BYTE, 3 * element(0, place(y), x), 3 * n);
    } else {
      for (int c = 0; c < 3; c++) {
        channel(pixels, 8 * c, byteRow, n);
        MemorySegment.copy(byteRow, 0, out, JAVA_BYTE, element(c, place(y), x), n);
      }
    }
  }

  private static void channel(int[] pixels, int shift, byte[] row, int n) {
    for (int i = 0; i < n; i++) {
      row[i] = (byte) (pixels[i] >>> shift);
    }
  }

  private void floats(int y, int x, int n) {
    if (layout == Layout.HWC) {
      interleave(floats[0], floats[1], floats[2], floatRow, n);
      MemorySegment.copy(floatRow, 0, out, F32, 3 * Float.BYTES * element(0, place(y), x), 3 * n);
    } else {
      for (int c = 0; c < 3; c++) {
        MemorySegment.copy(floats[c], 0, out, F32, Float.BYTES * element(c, place(y), x), n);
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
      MemorySegment.copy(shortRow, 0, out, U16, 3 * Short.BYTES * element(0, place(y), x), 3 * n);
    } else {
      for (int c = 0; c < 3; c++) {
        MemorySegment.copy(shorts[c], 0, out, U16, Short.BYTES * element(c, place(y), x), n);
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
      to[i] = Values.bfloat16(from[i]);
    }
  }

  private static void interleave(short[] red, short[] green, short[] blue, short[] row, int n) {
    for (int i = 0; i < n; i++) {
      row[3 * i] = red[i];
      row[3 * i + 1] = green[i];
      row[3 * i + 2] = blue[i];
    }
  }

  private int place(int y) {
    return upended ? height - 1 - y : y;
  }

  /// {@return elements of a plane before a pixel, and of the planes before it}
  private long element(int plane, long y, int x) {
    return ((long) plane * height + y) * width + x;
  }
}
