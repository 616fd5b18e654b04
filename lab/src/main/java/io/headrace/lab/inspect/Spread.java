package io.headrace.lab.inspect;

import java.util.Arrays;

/// How a quantity is spread; all 0 where there were no values.
///
/// @param count values
/// @param min lowest
/// @param median middle one, the lower of two
/// @param mean average
/// @param max highest
public record Spread(long count, long min, long median, double mean, long max) {
  /// {@return the spread of these values}
  static Spread of(long[] values) {
    if (values.length == 0) {
      return new Spread(0, 0, 0, 0, 0);
    }
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Spread(
        sorted.length,
        sorted[0],
        sorted[(sorted.length - 1) / 2],
        Arrays.stream(sorted).average().orElse(0),
        sorted[sorted.length - 1]);
  }
}
