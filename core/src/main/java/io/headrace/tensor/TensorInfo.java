package io.headrace.tensor;

/// What a blob says about the tensor inside.
///
/// @param codec label of the codec that wrote it, such as `zvc`
/// @param type of its elements
/// @param shape of the tensor
/// @param maxAbsoluteError the largest distance of any decoded value from what was encoded,
///     measured by the encoder; 0 if every bit comes back
/// @param encodedBytes of the whole blob
public record TensorInfo(
    String codec, ElementType type, TensorShape shape, double maxAbsoluteError, long encodedBytes) {
  /// {@return bytes of the decoded values}
  public long bytes() {
    return shape.elements() * type.bytes();
  }

  /// {@return whether every bit comes back}
  public boolean lossless() {
    return maxAbsoluteError == 0;
  }
}
