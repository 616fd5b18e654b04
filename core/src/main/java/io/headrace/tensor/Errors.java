package io.headrace.tensor;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import java.lang.foreign.MemorySegment;

/// Distances between floats.
final class Errors {
  private Errors() {}

  private static double value(MemorySegment values, long at, ElementType type) {
    return type == ElementType.FLOAT32
        ? Float.intBitsToFloat(values.get(U32, at))
        : Double.longBitsToDouble(values.get(U64, at));
  }

  static boolean allFinite(MemorySegment values, ElementType type) {
    for (long at = 0; at < values.byteSize(); at += type.bytes()) {
      if (!Double.isFinite(value(values, at, type))) {
        return false;
      }
    }
    return true;
  }

  /// {@return the largest distance of two values at one place; infinity where one is NaN}
  static double largest(MemorySegment a, MemorySegment b, ElementType type) {
    double largest = 0;
    for (long at = 0; at < a.byteSize(); at += type.bytes()) {
      double distance = Math.abs(value(a, at, type) - value(b, at, type));
      if (!(distance <= largest)) {
        if (Double.isNaN(distance)) {
          return Double.POSITIVE_INFINITY;
        }
        largest = distance;
      }
    }
    return largest;
  }
}
