package io.headrace.train.fit;

/// The loss is no longer a number.
public final class DivergedException extends Exception {
  private static final long serialVersionUID = 1L;

  DivergedException(String message) {
    super(message);
  }
}
