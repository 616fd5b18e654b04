package io.headrace.codec.jpeg.coefficients;

import java.util.Arrays;

/// A reusable list of offsets.
final class Offsets {
  private long[] values = new long[64];
  private int count;

  void clear() {
    count = 0;
  }

  void add(long value) {
    if (count == values.length) {
      values = Arrays.copyOf(values, 2 * count);
    }
    values[count++] = value;
  }

  int count() {
    return count;
  }

  long get(int index) {
    return values[index];
  }

  long[] copy() {
    return Arrays.copyOf(values, count);
  }
}
