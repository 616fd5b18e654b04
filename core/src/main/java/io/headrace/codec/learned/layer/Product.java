package io.headrace.codec.learned.layer;

/// Multiplies 4 rows of weights with 16 columns: the work of all layers.
///
/// Each sum is made in the order of its terms, each term added with one rounding, whichever form
/// computes it. So both give the same floats.
abstract class Product {
  /// Rows that are multiplied at once.
  static final int ROWS = 4;

  /// Columns that are multiplied at once.
  static final int COLUMNS = 16;

  /// Adds to each of 4 × 16 sums its terms.
  ///
  /// @param weights [terms, 4], from `at` on
  /// @param columns [terms, 16], from `from` on
  /// @param sums [4, 16]
  abstract void add(float[] weights, int at, float[] columns, int from, int terms, float[] sums);
}
