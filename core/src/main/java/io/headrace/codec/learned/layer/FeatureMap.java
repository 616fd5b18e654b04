package io.headrace.codec.learned.layer;

/// What goes from layer to layer: float32 [channels, height, width], at the start of an array.
/// Lent by a [Scratch].
public final class FeatureMap {
  /// The map's extents.
  public int channels;

  public int height;
  public int width;

  /// Its numbers, then what is left over.
  public final float[] data;

  /// @param data room for the largest map that it will be
  public FeatureMap(float[] data) {
    this.data = data;
  }

  /// {@return numbers of the map}
  public int size() {
    return channels * height * width;
  }

  /// {@return numbers of a channel}
  public int area() {
    return height * width;
  }
}
