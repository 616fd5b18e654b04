package io.headrace.pipeline.resize;

import io.headrace.memory.DType;
import io.headrace.memory.Layout;

/// What becomes of colours in a sample: the type, the order of axes, and a result for each of the
/// 256 values of a channel.
public final class Values {
  /// Colours as they are: uint8 [height, width, 3].
  public static final Values PIXELS = new Values(DType.UINT8, Layout.HWC, (_, value) -> value);

  /// Colours as they are, by planes: uint8 [3, height, width].
  public static final Values PLANES = new Values(DType.UINT8, Layout.CHW, (_, value) -> value);

  /// The steps on values, one after another.
  public interface Function {
    /// {@return the result in float32, linear in the value}
    ///
    /// @param channel 0 for red, 1 for green, 2 for blue
    /// @param value from 0 to 255
    float of(int channel, float value);
  }

  private final DType dtype;
  private final Layout layout;
  private final float[][] table = new float[3][256];

  /// @param dtype type of the sample
  /// @param layout its order of axes
  /// @param function is asked for every value once, here
  public Values(DType dtype, Layout layout, Function function) {
    this.dtype = dtype;
    this.layout = layout;
    for (int c = 0; c < 3; c++) {
      for (int v = 0; v < 256; v++) {
        table[c][v] = function.of(c, v);
      }
    }
  }

  /// {@return type of the sample}
  public DType dtype() {
    return dtype;
  }

  /// {@return order of the sample's axes}
  public Layout layout() {
    return layout;
  }

  /// {@return the result of a value, in float32}
  public float of(int channel, int value) {
    return table[channel][value];
  }

  /// {@return results of a channel by value}
  float[] of(int channel) {
    return table[channel];
  }

  /// {@return the upper half of a float32, rounded to nearest even; not for NaN}
  public static short bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
  }
}
