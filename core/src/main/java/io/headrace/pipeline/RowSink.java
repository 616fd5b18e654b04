package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.memory.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// Turns finished rows of 8-bit values into elements of a tensor: normalise, cast, layout.
///
/// A value has only 256 possible results for each channel, so all three are one look-up. Rows come
/// in the order of the layout: `3 * x + channel` for channels last, `channel * width + x` for
/// channels first. Little-endian in memory.
final class RowSink {
  private static final int SHIFT = Taps.PRECISION_BITS;
  private static final ValueLayout.OfFloat FLOATS =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORTS =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final DType dtype;
  private final Layout layout;
  private final float[][] floats = new float[3][];
  private final short[][] shorts = new short[3][];
  private byte[] byteRow = new byte[0];
  private short[] shortRow = new short[0];
  private float[] floatRow = new float[0];
  private MemorySegment out = MemorySegment.NULL;
  private int height;
  private int width;

  /// A sink for what `pipeline` makes of values.
  RowSink(Pipeline pipeline) {
    this(pipeline.dtype(), pipeline.layout(), ValueTable.of(pipeline.steps()));
  }

  private RowSink(DType dtype, Layout layout, float[][] values) {
    this.dtype = dtype;
    this.layout = layout;
    for (int c = 0; c < 3; c++) {
      floats[c] = values[c];
      shorts[c] = new short[256];
      for (int v = 0; v < 256; v++) {
        shorts[c][v] =
            dtype == DType.BFLOAT16
                ? ValueTable.bfloat16(values[c][v])
                : Float.floatToFloat16(values[c][v]);
      }
    }
  }

  /// {@return a sink of uint8 [height, width, 3]}
  static RowSink ofRgb() {
    return new RowSink(new Pipeline(List.of()));
  }

  Layout layout() {
    return layout;
  }

  /// Starts a tensor of `height` x `width` pixels at the start of `out`.
  void begin(MemorySegment out, int height, int width) {
    this.out = out;
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
  /// @param fixed values in fixed point, [Taps#PRECISION_BITS] bits behind the point, cut off here
  void row(int y, int[] fixed) {
    switch (dtype) {
      case UINT8 -> bytes(y, fixed);
      case FLOAT16, BFLOAT16 -> shorts(y, fixed);
      case FLOAT32 -> floats(y, fixed);
    }
  }

  private void bytes(int y, int[] fixed) {
    byte[] row = byteRow;
    int n = 3 * width;
    for (int i = 0; i < n; i++) {
      row[i] = (byte) (fixed[i] >>> SHIFT);
    }
    if (layout == Layout.HWC) {
      MemorySegment.copy(row, 0, out, JAVA_BYTE, (long) y * n, n);
    } else {
      for (int c = 0; c < 3; c++) {
        MemorySegment.copy(row, c * width, out, JAVA_BYTE, element(c, y), width);
      }
    }
  }

  private void shorts(int y, int[] fixed) {
    short[] row = shortRow;
    int w = width;
    if (layout == Layout.HWC) {
      short[] red = shorts[0];
      short[] green = shorts[1];
      short[] blue = shorts[2];
      for (int i = 0; i < 3 * w; i += 3) {
        row[i] = red[fixed[i] >>> SHIFT];
        row[i + 1] = green[fixed[i + 1] >>> SHIFT];
        row[i + 2] = blue[fixed[i + 2] >>> SHIFT];
      }
      MemorySegment.copy(row, 0, out, SHORTS, 2L * y * 3 * w, 3 * w);
    } else {
      for (int c = 0; c < 3; c++) {
        short[] table = shorts[c];
        for (int i = c * w; i < (c + 1) * w; i++) {
          row[i] = table[fixed[i] >>> SHIFT];
        }
        MemorySegment.copy(row, c * w, out, SHORTS, 2 * element(c, y), w);
      }
    }
  }

  private void floats(int y, int[] fixed) {
    float[] row = floatRow;
    int w = width;
    if (layout == Layout.HWC) {
      float[] red = floats[0];
      float[] green = floats[1];
      float[] blue = floats[2];
      for (int i = 0; i < 3 * w; i += 3) {
        row[i] = red[fixed[i] >>> SHIFT];
        row[i + 1] = green[fixed[i + 1] >>> SHIFT];
        row[i + 2] = blue[fixed[i + 2] >>> SHIFT];
      }
      MemorySegment.copy(row, 0, out, FLOATS, 4L * y * 3 * w, 3 * w);
    } else {
      for (int c = 0; c < 3; c++) {
        float[] table = floats[c];
        for (int i = c * w; i < (c + 1) * w; i++) {
          row[i] = table[fixed[i] >>> SHIFT];
        }
        MemorySegment.copy(row, c * w, out, FLOATS, 4 * element(c, y), w);
      }
    }
  }

  private long element(int channel, int y) {
    return ((long) channel * height + y) * width;
  }
}
