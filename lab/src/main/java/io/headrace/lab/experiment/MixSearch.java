package io.headrace.lab.experiment;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/// The search of C.b1, by meaning: more encoded pictures where loading is the bottleneck, more
/// raw ones where decoding is.
final class MixSearch {
  /// Measures a mix.
  interface Measure {
    /// {@return samples a second that are loaded, and that are decoded}
    double[] at(int tenths) throws IOException, InterruptedException;
  }

  private final Measure measure;
  private final Map<Integer, Double> seen = new TreeMap<>();

  MixSearch(Measure measure) {
    this.measure = measure;
  }

  /// {@return tenths that are raw in the best mix}
  int run() throws IOException, InterruptedException {
    int low = 0;
    int high = 10;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      double[] at = measure.at(middle);
      seen.put(middle, Math.min(at[0], at[1]));
      if (at[0] == at[1]) {
        return middle;
      }
      if (at[0] < at[1]) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return both(low) >= both(high) ? low : high;
  }

  private double both(int tenths) throws IOException, InterruptedException {
    Double there = seen.get(tenths);
    if (there == null) {
      double[] at = measure.at(tenths);
      there = Math.min(at[0], at[1]);
      seen.put(tenths, there);
    }
    return there;
  }

  /// {@return how many mixes were measured}
  int measured() {
    return seen.size();
  }
}
