package io.headrace.train.fit;

/// What losses are multiplied with before backward, so that small gradients are not 0 in float16:
/// half of it where gradients overflow, and twice as much where none did for a long time. The
/// numbers are those of `torch.amp.GradScaler`.
///
/// @param factor a power of 2, so that multiplying rounds nothing
/// @param steps since it changed
record LossScale(double factor, int steps) {
  /// For float32, where it does not change.
  static final LossScale NONE = new LossScale(1, 0);

  static final LossScale START = new LossScale(65536, 0);

  /// Steps without overflow that it is doubled after.
  static final int PATIENCE = 2000;

  /// {@return the scale of the next step}
  ///
  /// @param finite whether all gradients were
  LossScale next(boolean finite) {
    if (!finite) {
      return new LossScale(factor / 2, 0);
    }
    return steps + 1 < PATIENCE ? new LossScale(factor, steps + 1) : new LossScale(factor * 2, 0);
  }
}
