package io.headrace.bench;

import java.util.Arrays;

/// Medians that the loops of this package print.
final class Medians {
  private Medians() {}

  /// {@return the middle value, the upper one of two}
  ///
  /// @param values at least one, left in their order
  static double of(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
