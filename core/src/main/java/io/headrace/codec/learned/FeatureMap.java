package io.headrace.codec.learned;

/// What goes from layer to layer: float32 [channels, height, width], at the start of an array.
/// Lent by a [Scratch].
final class FeatureMap {
  int channels;
  int height;
  int width;
  final float[] data;

  /// @param data room for the largest map that it will be
  FeatureMap(float[] data) {
    this.data = data;
  }

  /// {@return numbers of the map}
  int size() {
    return channels * height * width;
  }

  /// {@return numbers of a channel}
  int area() {
    return height * width;
  }
}
