package io.headrace.pipeline.resize;

import java.util.Arrays;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The filter with the Vector API.
///
/// Outputs are computed a vector of ints at a time, four taps at once: one load fetches the samples
/// that all of them need, one permutation brings to each output its four, as the bytes of an int.
/// Samples and weights are whole numbers that a float holds exactly, and so are the sums; so they
/// equal those of [ScalarAcross], in any order. Where outputs lie too far apart for one load,
/// [ScalarAcross] does it.
final class VectorAcross extends AcrossFilter {
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Float> FLOATS =
      VectorSpecies.of(float.class, INTS.vectorShape());
  private static final VectorSpecies<Byte> BYTES = VectorSpecies.of(byte.class, INTS.vectorShape());
  private static final int LANES = INTS.length();
  private static final int WINDOW = BYTES.length();
  private static final int GROUP = 4;

  /// What weights are multiplied with, and what is added to a sum.
  private static final float ONE_SHIFTED = 1f / (1 << SHIFT);

  private static final float ROUNDING = 0.5f;

  private final ScalarAcross scalar = new ScalarAcross();
  private boolean spread;
  private int taps;
  private int outputs;

  /// Groups of taps.
  private int groups;

  /// For each vector of outputs: where samples are loaded.
  private int[] bases = new int[0];

  /// For each output the places of its four samples among those loaded, as bytes of an int. The
  /// next group has the same places, loaded four samples further.
  private int[] places = new int[0];

  /// Weights by tap and output, with room for whole vectors; sums of them times samples have no
  /// more fractional bits than results, so that rounding is cutting off.
  private float[] weights = new float[0];
  private float[] sums = new float[0];

  /// From the weights of a tap to those of the next.
  private int stride;

  VectorAcross() {}

  @Override
  void prepare(AxisTaps taps) {
    outputs = taps.outputs();
    this.taps = taps.count();
    groups = Math.ceilDiv(taps.count(), GROUP);
    int blocks = Math.ceilDiv(outputs, LANES);
    stride = blocks * LANES;
    if (places.length < stride) {
      places = new int[stride];
      sums = new float[stride];
      bases = new int[blocks];
    }
    if (weights.length < GROUP * groups * stride) {
      weights = new float[GROUP * groups * stride];
    }
    spread = false;
    for (int block = 0; block < blocks && !spread; block++) {
      spread = !block(taps.first(), block, taps.begin());
    }
    if (spread) {
      scalar.prepare(taps);
      return;
    }
    for (int t = 0; t < GROUP * groups; t++) {
      if (t < taps.count()) {
        copy(taps.weights(), t * outputs, weights, t * stride, outputs);
      } else {
        Arrays.fill(weights, t * stride, (t + 1) * stride, 0);
      }
    }
  }

  private static void copy(int[] from, int start, float[] to, int at, int n) {
    for (int i = 0; i < n; i++) {
      to[at + i] = from[start + i] * ONE_SHIFTED;
    }
  }

  /// {@return whether the samples of a vector of outputs are near enough to each other}
  private boolean block(int[] first, int block, int origin) {
    int from = block * LANES;
    int end = Math.min(from + LANES, outputs);
    int least = Math.min(first[from], first[end - 1]); // they ascend, or descend
    int most = Math.max(first[from], first[end - 1]);
    if (most - least + GROUP > WINDOW) {
      return false;
    }
    bases[block] = least - origin;
    for (int i = from; i < end; i++) {
      places[i] = (first[i] - least) * 0x01010101 + 0x03020100;
    }
    Arrays.fill(places, end, from + LANES, 0);
    return true;
  }

  @Override
  void rows(byte[] samples, int apart, int[] a, int[] b, int[] c) {
    if (spread) {
      scalar.rows(samples, apart, a, b, c);
      return;
    }
    row(samples, 0, a);
    row(samples, apart, b);
    row(samples, 2 * apart, c);
  }

  private void row(byte[] samples, int start, int[] out) {
    if (groups > 1) {
      wide(samples, start, out);
    } else if (taps == 4) {
      four(samples, start, bases, places, weights, stride, out);
    } else {
      three(samples, start, bases, places, weights, stride, out);
    }
  }

  /// Filters a row by at most three taps.
  ///
  /// Written out, like those for more taps: vectors must not pass between methods, since the JIT
  /// may not inline these.
  private static void three(
      byte[] samples,
      int start,
      int[] bases,
      int[] places,
      float[] weights,
      int stride,
      int[] out) {
    int block = 0;
    for (int i = 0; i < stride; i += LANES, block++) {
      IntVector four =
          IntVector.fromArray(INTS, places, i)
              .reinterpretAsBytes()
              .selectFrom(ByteVector.fromArray(BYTES, samples, start + bases[block]))
              .reinterpretAsInts();
      Vector<Float> s0 = four.and(0xff).convert(VectorOperators.I2F, 0);
      Vector<Float> s1 =
          four.lanewise(VectorOperators.LSHR, 8).and(0xff).convert(VectorOperators.I2F, 0);
      Vector<Float> s2 =
          four.lanewise(VectorOperators.LSHR, 16).and(0xff).convert(VectorOperators.I2F, 0);
      s0.reinterpretAsFloats()
          .fma(
              FloatVector.fromArray(FLOATS, weights, i),
              s1.reinterpretAsFloats()
                  .fma(
                      FloatVector.fromArray(FLOATS, weights, i + stride),
                      s2.reinterpretAsFloats()
                          .fma(
                              FloatVector.fromArray(FLOATS, weights, i + 2 * stride),
                              FloatVector.broadcast(FLOATS, ROUNDING))))
          .convert(VectorOperators.F2I, 0)
          .reinterpretAsInts()
          .intoArray(out, i);
    }
  }

  /// Filters a row by four taps.
  private static void four(
      byte[] samples,
      int start,
      int[] bases,
      int[] places,
      float[] weights,
      int stride,
      int[] out) {
    int block = 0;
    for (int i = 0; i < stride; i += LANES, block++) {
      IntVector four =
          IntVector.fromArray(INTS, places, i)
              .reinterpretAsBytes()
              .selectFrom(ByteVector.fromArray(BYTES, samples, start + bases[block]))
              .reinterpretAsInts();
      Vector<Float> s0 = four.and(0xff).convert(VectorOperators.I2F, 0);
      Vector<Float> s1 =
          four.lanewise(VectorOperators.LSHR, 8).and(0xff).convert(VectorOperators.I2F, 0);
      Vector<Float> s2 =
          four.lanewise(VectorOperators.LSHR, 16).and(0xff).convert(VectorOperators.I2F, 0);
      Vector<Float> s3 = four.lanewise(VectorOperators.LSHR, 24).convert(VectorOperators.I2F, 0);
      s0.reinterpretAsFloats()
          .fma(
              FloatVector.fromArray(FLOATS, weights, i),
              s1.reinterpretAsFloats()
                  .fma(
                      FloatVector.fromArray(FLOATS, weights, i + stride),
                      s2.reinterpretAsFloats()
                          .fma(
                              FloatVector.fromArray(FLOATS, weights, i + 2 * stride),
                              s3.reinterpretAsFloats()
                                  .fma(
                                      FloatVector.fromArray(FLOATS, weights, i + 3 * stride),
                                      FloatVector.broadcast(FLOATS, ROUNDING)))))
          .convert(VectorOperators.F2I, 0)
          .reinterpretAsInts()
          .intoArray(out, i);
    }
  }

  /// Filters a row by more taps, group by group: sums wait in memory, since a vector that is
  /// carried from one round of a loop to the next may end up on the heap.
  private void wide(byte[] samples, int start, int[] out) {
    Arrays.fill(sums, 0, stride, ROUNDING);
    for (int group = 0; group < groups; group++) {
      int first = GROUP * group;
      add(samples, start + first, bases, places, weights, first * stride, stride, sums);
    }
    cutOff(sums, out, stride);
  }

  private static void add(
      byte[] samples,
      int start,
      int[] bases,
      int[] places,
      float[] weights,
      int k,
      int stride,
      float[] sums) {
    int block = 0;
    for (int i = 0; i < stride; i += LANES, block++) {
      IntVector four =
          IntVector.fromArray(INTS, places, i)
              .reinterpretAsBytes()
              .selectFrom(ByteVector.fromArray(BYTES, samples, start + bases[block]))
              .reinterpretAsInts();
      Vector<Float> s0 = four.and(0xff).convert(VectorOperators.I2F, 0);
      Vector<Float> s1 =
          four.lanewise(VectorOperators.LSHR, 8).and(0xff).convert(VectorOperators.I2F, 0);
      Vector<Float> s2 =
          four.lanewise(VectorOperators.LSHR, 16).and(0xff).convert(VectorOperators.I2F, 0);
      Vector<Float> s3 = four.lanewise(VectorOperators.LSHR, 24).convert(VectorOperators.I2F, 0);
      s0.reinterpretAsFloats()
          .fma(
              FloatVector.fromArray(FLOATS, weights, k + i),
              s1.reinterpretAsFloats()
                  .fma(
                      FloatVector.fromArray(FLOATS, weights, k + i + stride),
                      s2.reinterpretAsFloats()
                          .fma(
                              FloatVector.fromArray(FLOATS, weights, k + i + 2 * stride),
                              s3.reinterpretAsFloats()
                                  .fma(
                                      FloatVector.fromArray(FLOATS, weights, k + i + 3 * stride),
                                      FloatVector.fromArray(FLOATS, sums, i)))))
          .intoArray(sums, i);
    }
  }

  private static void cutOff(float[] sums, int[] out, int n) {
    for (int i = 0; i < n; i++) {
      out[i] = (int) sums[i];
    }
  }
}
