package io.headrace.sound.signal;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/// The same with the Vector API, two vectors of samples side by side.
final class VectorPhaseFilter extends PhaseFilter {
  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = FLOATS.length();

  @Override
  void run(float[] planes, int[] places, float[] weights, int weight, float[] out, int n) {
    int end = n - n % (2 * LANES);
    vectors(planes, places, weights, weight, out, end);
    runFrom(end, planes, places, weights, weight, out, n);
  }

  private static void vectors(
      float[] planes, int[] places, float[] weights, int weight, float[] out, int end) {
    for (int i = 0; i < end; i += 2 * LANES) {
      FloatVector a = FloatVector.zero(FLOATS);
      FloatVector b = FloatVector.zero(FLOATS);
      FloatVector c = FloatVector.zero(FLOATS);
      FloatVector d = FloatVector.zero(FLOATS);
      for (int tap = 0; tap < places.length; tap += 2) {
        int even = places[tap] + i;
        int odd = places[tap + 1] + i;
        float first = weights[weight + tap];
        float second = weights[weight + tap + 1];
        a = a.add(FloatVector.fromArray(FLOATS, planes, even).mul(first));
        b = b.add(FloatVector.fromArray(FLOATS, planes, odd).mul(second));
        c = c.add(FloatVector.fromArray(FLOATS, planes, even + LANES).mul(first));
        d = d.add(FloatVector.fromArray(FLOATS, planes, odd + LANES).mul(second));
      }
      a.add(b).intoArray(out, i);
      c.add(d).intoArray(out, i + LANES);
    }
  }
}
