package io.headrace.format.race;

import java.util.Arrays;

/// Numbers of 32 bits, as many as are added.
final class Ints {
  private int[] values = new int[16];
  private int size;

  void add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, (int) Math.min(Integer.MAX_VALUE - 8, 2L * size));
    }
    values[size++] = value;
  }

  int get(int i) {
    return values[i];
  }

  int size() {
    return size;
  }
}
