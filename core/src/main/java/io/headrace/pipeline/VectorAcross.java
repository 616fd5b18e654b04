package io.headrace.pipeline;

import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The filter with the Vector API.
///
/// Outputs are computed a vector of ints at a time, four taps at once: one load fetches the samples
/// that all of them need, one permutation brings to each output its four, as the bytes of an int.
/// Samples and weights are whole numbers that a float holds exactly, and so are the sums; so they
/// equal those of [ScalarAcross], whatever the order. Where outputs lie too far apart for one load,
/// that one does it.
final class VectorAcross extends AcrossFilter {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, INTS.vectorShape());
  private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, INTS.vectorShape());
  private static final int LANES = INTS.length();
  private static final int WINDOW = BYTES.length();
  private static final int GROUP = 4;

  private final ScalarAcross scalar = new ScalarAcross();
  private boolean spread;
  private int outputs;

  /// Groups of taps.
  private int groups;

  /// For each vector of outputs and group of taps: where samples are loaded, which of them go
  /// where, and weights by tap and output.
  private int[] bases = new int[0];

  private byte[] places = new byte[0];
  private float[] weights = new float[0];

  VectorAcross() {}

  @Override
  void prepare(AxisTaps taps, int n, int origin) {
    outputs = n;
    groups = Math.ceilDiv(taps.count(), GROUP);
    int blocks = Math.ceilDiv(n, LANES);
    if (bases.length < blocks * groups) {
      bases = new int[blocks * groups];
      places = new byte[blocks * groups * WINDOW];
      weights = new float[blocks * groups * WINDOW];
    }
    spread = false;
    for (int block = 0; block < blocks && !spread; block++) {
      spread = !block(taps, block, origin);
    }
    if (spread) {
      scalar.prepare(taps, n, origin);
    }
  }

  /// {@return whether the samples of a vector of outputs are near enough to each other}
  private boolean block(AxisTaps taps, int block, int origin) {
    int[] first = taps.first();
    int from = block * LANES;
    int n = Math.min(LANES, outputs - from);
    int least = first[from];
    int most = least;
    for (int i = from + 1; i < from + n; i++) {
      least = Math.min(least, first[i]);
      most = Math.max(most, first[i]);
    }
    if (most - least + GROUP > WINDOW) {
      return false;
    }
    int count = taps.count();
    for (int group = 0; group < groups; group++) {
      int k = block * groups + group;
      bases[k] = least + GROUP * group - origin;
      int at = k * WINDOW;
      int real = Math.min(GROUP, count - GROUP * group);
      Arrays.fill(weights, at, at + WINDOW, 0);
      for (int i = 0; i < n; i++) {
        int place = first[from + i] - least;
        int weight = (from + i) * count + GROUP * group;
        for (int t = 0; t < GROUP; t++) {
          places[at + GROUP * i + t] = (byte) (place + t);
        }
        for (int t = 0; t < real; t++) {
          weights[at + LANES * t + i] = taps.weights()[weight + t];
        }
      }
      Arrays.fill(places, at + GROUP * n, at + WINDOW, (byte) 0);
    }
    return true;
  }

  @Override
  void rows(byte[] a, byte[] b, byte[] c, int[] outA, int[] outB, int[] outC, int start) {
    if (spread) {
      scalar.rows(a, b, c, outA, outB, outC, start);
    } else if (groups == 1) {
      row(a, bases, places, weights, outputs, outA, start);
      row(b, bases, places, weights, outputs, outB, start);
      row(c, bases, places, weights, outputs, outC, start);
    } else {
      row(a, bases, places, weights, groups, outputs, outA, start);
      row(b, bases, places, weights, groups, outputs, outB, start);
      row(c, bases, places, weights, groups, outputs, outC, start);
    }
  }

  private static void row(
      byte[] samples, int[] bases, byte[] places, float[] weights, int n, int[] out, int start) {
    int k = 0;
    for (int i = 0; i < n; i += LANES, k++) {
      IntVector four = four(samples, bases[k], places, k * WINDOW);
      FloatVector sum = tap(four, 0).mul(FloatVector.fromArray(FLOATS, weights, k * WINDOW));
      sum = tap(four, 1).mul(FloatVector.fromArray(FLOATS, weights, k * WINDOW + LANES)).add(sum);
      sum =
          tap(four, 2).mul(FloatVector.fromArray(FLOATS, weights, k * WINDOW + 2 * LANES)).add(sum);
      sum =
          tap(four, 3).mul(FloatVector.fromArray(FLOATS, weights, k * WINDOW + 3 * LANES)).add(sum);
      store(sum, out, start + i, n - i);
    }
  }

  private static void row(
      byte[] samples,
      int[] bases,
      byte[] places,
      float[] weights,
      int groups,
      int n,
      int[] out,
      int start) {
    int k = 0;
    for (int i = 0; i < n; i += LANES) {
      FloatVector sum = FloatVector.zero(FLOATS);
      for (int end = k + groups; k < end; k++) {
        IntVector four = four(samples, bases[k], places, k * WINDOW);
        sum = tap(four, 0).mul(FloatVector.fromArray(FLOATS, weights, k * WINDOW)).add(sum);
        sum = tap(four, 1).mul(FloatVector.fromArray(FLOATS, weights, k * WINDOW + LANES)).add(sum);
        sum =
            tap(four, 2)
                .mul(FloatVector.fromArray(FLOATS, weights, k * WINDOW + 2 * LANES))
                .add(sum);
        sum =
            tap(four, 3)
                .mul(FloatVector.fromArray(FLOATS, weights, k * WINDOW + 3 * LANES))
                .add(sum);
      }
      store(sum, out, start + i, n - i);
    }
  }

  /// {@return four samples for each output, as the bytes of an int}
  private static IntVector four(byte[] samples, int base, byte[] places, int at) {
    return ByteVector.fromArray(BYTES, places, at)
        .selectFrom(ByteVector.fromArray(BYTES, samples, base))
        .reinterpretAsInts();
  }

  private static FloatVector tap(IntVector four, int t) {
    return (FloatVector)
        four.lanewise(VectorOperators.LSHR, 8 * t).and(0xff).convert(VectorOperators.I2F, 0);
  }

  private static void store(FloatVector sum, int[] out, int at, int left) {
    IntVector whole = (IntVector) sum.convert(VectorOperators.F2I, 0);
    IntVector rounded = whole.add(HALF).lanewise(VectorOperators.ASHR, SHIFT);
    if (left >= LANES) {
      rounded.intoArray(out, at);
    } else {
      rounded.intoArray(out, at, INTS.indexInRange(0, left));
    }
  }
}
