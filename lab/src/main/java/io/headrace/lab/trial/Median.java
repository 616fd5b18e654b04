package io.headrace.lab.trial;

import java.util.Arrays;
import java.util.Collection;

/// A median and how far it can be trusted.
///
/// The interval is that of order statistics, which assumes nothing of how values are spread: the
/// median lies between the k-th lowest and the k-th highest of n values with a probability of
/// 1 − 2 · P(B < k), B binomial of n and 1/2. k is the largest for which that is at least 95 %; of
/// fewer than six values it is 1, so that the interval reaches from the lowest to the highest.
///
/// @param value the median; of an even number of values the mean of the two in the middle
/// @param low end of the interval
/// @param high end of the interval
/// @param count values
public record Median(double value, double low, double high, int count) {
  private static final double CONFIDENCE = 0.95;

  /// {@return the median of some values, at least one}
  public static Median of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("the median of no values");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    int k = rank(n);
    return new Median(quantile(sorted, 0.5), sorted[k - 1], sorted[n - k], n);
  }

  /// {@return the median of some values, at least one}
  public static Median of(Collection<Double> values) {
    return of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static int rank(int n) {
    double below = Math.pow(0.5, n); // P(B < k)
    double term = below; // P(B = k - 1)
    int k = 1;
    while (true) {
      term = term * (n - k + 1) / k;
      below += term;
      if (2 * below > 1 - CONFIDENCE) {
        return k;
      }
      k++;
    }
  }

  /// {@return the value below which a share of sorted values lies, between two of them in
  /// proportion}
  static double quantile(double[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  /// {@return the value below which a share of values lies}
  public static double quantile(Collection<Double> values, double share) {
    return quantile(values.stream().mapToDouble(Double::doubleValue).sorted().toArray(), share);
  }
}
