package io.headrace.codec.learned.layer;

/// Runs everywhere.
final class PlainProduct extends Product {
  @Override
  void add(float[] weights, int at, float[] columns, int from, int terms, float[] sums) {
    for (int row = 0; row < ROWS; row++) {
      for (int i = 0; i < terms; i++) {
        float weight = weights[at + ROWS * i + row];
        int column = from + COLUMNS * i;
        for (int j = 0; j < COLUMNS; j++) {
          int sum = COLUMNS * row + j;
          sums[sum] = Math.fma(weight, columns[column + j], sums[sum]);
        }
      }
    }
  }
}
