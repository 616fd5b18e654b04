package io.headrace.sound;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Turns samples of one type into another, by the rule of [SampleType].
final class Samples {
  private Samples() {}

  /// Copies fractions as another type.
  ///
  /// @param from float32
  /// @param fromAt first sample to take
  /// @param to samples of `type`
  /// @param toAt first sample to write
  /// @param count samples
  static void fromFloats(
      MemorySegment from, long fromAt, MemorySegment to, SampleType type, long toAt, long count) {
    switch (type) {
      case FLOAT32 ->
          MemorySegment.copy(
              from, fromAt * Float.BYTES, to, toAt * Float.BYTES, count * Float.BYTES);
      case INT16 -> {
        for (long i = 0; i < count; i++) {
          float x = from.get(JAVA_FLOAT_UNALIGNED, (fromAt + i) * Float.BYTES);
          to.set(JAVA_SHORT_UNALIGNED, (toAt + i) * Short.BYTES, (short) quantise(x, 16));
        }
      }
      case INT32 -> {
        for (long i = 0; i < count; i++) {
          float x = from.get(JAVA_FLOAT_UNALIGNED, (fromAt + i) * Float.BYTES);
          to.set(JAVA_INT_UNALIGNED, (toAt + i) * Integer.BYTES, quantise(x, 32));
        }
      }
    }
  }

  /// {@return `x` as an integer of `bits`, rounded to nearest (halves to even) and held to the
  ///     range; NaN gives 0}
  static int quantise(float x, int bits) {
    double scale = 1L << (bits - 1);
    double value = Math.rint(x * scale);
    return (int) Math.min(Math.max(value, -scale), scale - 1); // a cast makes 0 of NaN
  }

  /// {@return `sample` with all but its upper `bits` rounded away, halves up, held to the range}
  static int round(int sample, int bits) {
    int drop = 32 - bits;
    if (drop == 0) {
      return sample;
    }
    long most = Integer.MAX_VALUE >> drop;
    long rounded = (sample + (1L << (drop - 1))) >> drop;
    return (int) Math.min(rounded, most) << drop;
  }

  /// {@return a sample as a fraction}
  static float toFloat(MemorySegment samples, SampleType type, long at) {
    return switch (type) {
      case INT16 -> samples.get(JAVA_SHORT_UNALIGNED, at * Short.BYTES) / 32768f;
      case INT32 -> (float) (samples.get(JAVA_INT_UNALIGNED, at * Integer.BYTES) / 2147483648.0);
      case FLOAT32 -> samples.get(JAVA_FLOAT_UNALIGNED, at * Float.BYTES);
    };
  }
}
