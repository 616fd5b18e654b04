package io.headrace.tensor.payload;

import java.util.List;

/// How the values of a tensor lie: words side by side along its last dimension.
///
/// @param width bytes of a word: 1, 2, 4 or 8
/// @param floats whether words are floating-point numbers
/// @param sizes of the dimensions, slowest first
public record WordLayout(int width, boolean floats, List<Integer> sizes) {
  /// {@return words of the last dimension; 1 if there is none}
  public int columns() {
    return sizes.isEmpty() ? 1 : sizes.getLast();
  }

  /// {@return words in all}
  long count() {
    long count = 1;
    for (int size : sizes) {
      count *= size;
    }
    return count;
  }
}
