package io.headrace.codec.learned;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/// Keeps 4 rows of two vectors of sums in registers while it goes through the terms.
final class VectorProduct extends Product {
  private static final VectorSpecies<Float> FLOATS =
      FloatVector.SPECIES_PREFERRED.length() < 8
          ? FloatVector.SPECIES_128
          : FloatVector.SPECIES_256;

  private static final int LANES = FLOATS.length();

  @Override
  void add(float[] weights, int at, float[] columns, int from, int terms, float[] sums) {
    for (int j = 0; j < COLUMNS; j += 2 * LANES) {
      pair(weights, at, columns, from + j, terms, sums, j);
    }
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
