package io.headrace.pipeline.step;

/// A step on values of channels, which become float32.
public interface ValueStep extends Step {
  /// {@return the result in float32, linear in the value}
  ///
  /// @param channel 0 for red, 1 for green, 2 for blue
  /// @param value on the scale of bytes, 0 to 255, or what a value step before made of it
  float apply(int channel, float value);
}
