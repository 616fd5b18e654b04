package io.headrace.load.fetch;

/// Counts the places that numbers lie in; numbers near each other share a place. Confined.
final class Neighbours {
  private final long[] lows;
  private final long[] highs;
  private long near;
  private int places;

  /// @param most numbers that are added at most
  Neighbours(int most) {
    lows = new long[most];
    highs = new long[most];
  }

  /// Forgets all numbers.
  ///
  /// @param distance of two numbers that are in one place, at most
  void reset(long distance) {
    near = distance;
    places = 0;
  }

  /// Adds a number.
  ///
  /// @return how many places there are now. Two that a number has joined are still two
  int add(long number) {
    for (int i = 0; i < places; i++) {
      if (number >= lows[i] - near && number <= highs[i] + near) {
        lows[i] = Math.min(lows[i], number);
        highs[i] = Math.max(highs[i], number);
        return places;
      }
    }
    lows[places] = number;
    highs[places] = number;
    return ++places;
  }
}
