package io.headrace.bench;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.headrace.tensor.TensorShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/// A tensor of float32 to encode.
///
/// @param name for the table
/// @param shape of the values
/// @param values off heap, row-major
record TensorSample(String name, TensorShape shape, MemorySegment values) {
  private static final int EDGE = 1024;

  private static TensorSample empty(String name, Arena arena) {
    var shape = TensorShape.of(EDGE, EDGE);
    return new TensorSample(name, shape, arena.allocate(4 * shape.elements(), 64));
  }

  /// {@return whether no value is NaN or infinite}
  boolean finite() {
    for (long i = 0; i < shape.elements(); i++) {
      if (!Float.isFinite(values.getAtIndex(JAVA_FLOAT, i))) {
        return false;
      }
    }
    return true;
  }

  /// {@return a sum of waves of eight lengths, as a simulation's field is}
  static TensorSample smooth(Arena arena) {
    TensorSample sample = empty("smooth field", arena);
    for (int y = 0; y < EDGE; y++) {
      for (int x = 0; x < EDGE; x++) {
        double sum = 0;
        for (int k = 1; k <= 8; k++) {
          sum += Math.sin(0.004 * k * x + k) * Math.cos(0.003 * k * k * y + 2 * k) / k;
        }
        sample.values.setAtIndex(JAVA_FLOAT, (long) y * EDGE + x, (float) sum);
      }
    }
    return sample;
  }

  /// {@return what a rectifier leaves: zeros at random places, in patches, the rest half normal}
  static TensorSample sparse(Arena arena, double zeros) {
    TensorSample sample = empty("activations, %.0f %% zeros".formatted(100 * zeros), arena);
    var random = new Random(7);
    boolean zero = false;
    for (long i = 0; i < (long) EDGE * EDGE; i++) {
      if (random.nextInt(4) == 0) { // patches of four on average
        zero = random.nextDouble() < zeros;
      }
      float value = zero ? 0 : (float) Math.abs(random.nextGaussian());
      sample.values.setAtIndex(JAVA_FLOAT, i, value);
    }
    return sample;
  }

  /// {@return any bits}
  static TensorSample random(Arena arena) {
    TensorSample sample = empty("random bits", arena);
    var random = new Random(8);
    for (long i = 0; i < (long) EDGE * EDGE; i++) {
      sample.values.setAtIndex(JAVA_INT, i, random.nextInt());
    }
    return sample;
  }
}
