package io.headrace.codec.learned.layer;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/// Keeps 4 rows of sums in registers while it goes through the terms: one vector of each where that
/// holds all columns, else two at a time.
///
/// Its vectors have the size that all others of floats have: code that met vectors of two sizes
/// would be compiled so that each result is an object, here and everywhere else.
final class VectorProduct extends Product {
  private static final VectorSpecies<Float> FLOATS =
      FloatVector.SPECIES_PREFERRED.length() > COLUMNS
          ? FloatVector.SPECIES_512
          : FloatVector.SPECIES_PREFERRED;

  private static final int LANES = FLOATS.length();

  @Override
  void add(float[] weights, int at, float[] columns, int from, int terms, float[] sums) {
    if (LANES == COLUMNS) {
      all(weights, at, columns, from, terms, sums);
      return;
    }
    for (int j = 0; j < COLUMNS; j += 2 * LANES) {
      pair(weights, at, columns, from + j, terms, sums, j);
    }
  }

  private static void all(
      float[] weights, int at, float[] columns, int from, int terms, float[] sums) {
    FloatVector s0 = FloatVector.fromArray(FLOATS, sums, 0);
    FloatVector s1 = FloatVector.fromArray(FLOATS, sums, COLUMNS);
    FloatVector s2 = FloatVector.fromArray(FLOATS, sums, 2 * COLUMNS);
    FloatVector s3 = FloatVector.fromArray(FLOATS, sums, 3 * COLUMNS);
    for (int i = 0; i < terms; i++) {
      FloatVector column = FloatVector.fromArray(FLOATS, columns, from + COLUMNS * i);
      int row = at + ROWS * i;
      s0 = column.fma(FloatVector.broadcast(FLOATS, weights[row]), s0);
      s1 = column.fma(FloatVector.broadcast(FLOATS, weights[row + 1]), s1);
      s2 = column.fma(FloatVector.broadcast(FLOATS, weights[row + 2]), s2);
      s3 = column.fma(FloatVector.broadcast(FLOATS, weights[row + 3]), s3);
    }
    s0.intoArray(sums, 0);
    s1.intoArray(sums, COLUMNS);
    s2.intoArray(sums, 2 * COLUMNS);
    s3.intoArray(sums, 3 * COLUMNS);
  }

  private static void pair(
      float[] weights, int at, float[] columns, int from, int terms, float[] sums, int j) {
    FloatVector a0 = FloatVector.fromArray(FLOATS, sums, j);
    FloatVector b0 = FloatVector.fromArray(FLOATS, sums, j + LANES);
    FloatVector a1 = FloatVector.fromArray(FLOATS, sums, j + COLUMNS);
    FloatVector b1 = FloatVector.fromArray(FLOATS, sums, j + COLUMNS + LANES);
    FloatVector a2 = FloatVector.fromArray(FLOATS, sums, j + 2 * COLUMNS);
    FloatVector b2 = FloatVector.fromArray(FLOATS, sums, j + 2 * COLUMNS + LANES);
    FloatVector a3 = FloatVector.fromArray(FLOATS, sums, j + 3 * COLUMNS);
    FloatVector b3 = FloatVector.fromArray(FLOATS, sums, j + 3 * COLUMNS + LANES);
    for (int i = 0; i < terms; i++) {
      FloatVector a = FloatVector.fromArray(FLOATS, columns, from + COLUMNS * i);
      FloatVector b = FloatVector.fromArray(FLOATS, columns, from + COLUMNS * i + LANES);
      FloatVector weight = FloatVector.broadcast(FLOATS, weights[at + ROWS * i]);
      a0 = a.fma(weight, a0);
      b0 = b.fma(weight, b0);
      weight = FloatVector.broadcast(FLOATS, weights[at + ROWS * i + 1]);
      a1 = a.fma(weight, a1);
      b1 = b.fma(weight, b1);
      weight = FloatVector.broadcast(FLOATS, weights[at + ROWS * i + 2]);
      a2 = a.fma(weight, a2);
      b2 = b.fma(weight, b2);
      weight = FloatVector.broadcast(FLOATS, weights[at + ROWS * i + 3]);
      a3 = a.fma(weight, a3);
      b3 = b.fma(weight, b3);
    }
    a0.intoArray(sums, j);
    b0.intoArray(sums, j + LANES);
    a1.intoArray(sums, j + COLUMNS);
    b1.intoArray(sums, j + COLUMNS + LANES);
    a2.intoArray(sums, j + 2 * COLUMNS);
    b2.intoArray(sums, j + 2 * COLUMNS + LANES);
    a3.intoArray(sums, j + 3 * COLUMNS);
    b3.intoArray(sums, j + 3 * COLUMNS + LANES);
  }
}
