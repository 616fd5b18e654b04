package io.headrace.convert.encode;

/// What was done to one sample's image.
public enum Outcome {
  /// Byte for byte as it was, because that was asked for.
  KEPT,
  /// Byte for byte as it was, because its quality is not above the target.
  KEPT_BELOW_TARGET,
  /// Rewritten without loss: the coefficients are the same.
  TRANSCODED,
  /// Byte for byte as it was, because it cannot be rewritten without loss as asked.
  PASSED,
  /// Decoded and encoded again, at its size.
  REENCODED,
  /// Decoded, made smaller and encoded again.
  RESIZED
}
