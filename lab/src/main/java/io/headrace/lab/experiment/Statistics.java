package io.headrace.lab.experiment;

import java.util.List;

/// What rows of numbers have in common.
final class Statistics {
  private Statistics() {}

  /// {@return Spearman's correlation of ranks, −1 to 1; equal values share their mean rank}
  static double rankCorrelation(List<Double> a, List<Double> b) {
    double[] x = ranks(a);
    double[] y = ranks(b);
    double mean = (a.size() + 1) / 2.0;
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (int i = 0; i < x.length; i++) {
      xy += (x[i] - mean) * (y[i] - mean);
      xx += (x[i] - mean) * (x[i] - mean);
      yy += (y[i] - mean) * (y[i] - mean);
    }
    return xx == 0 || yy == 0 ? 0 : xy / Math.sqrt(xx * yy);
  }

  private static double[] ranks(List<Double> values) {
    double[] ranks = new double[values.size()];
    for (int i = 0; i < ranks.length; i++) {
      double own = values.get(i);
      long below = values.stream().filter(v -> v < own).count();
      long equal = values.stream().filter(v -> v == own).count();
      ranks[i] = below + (equal + 1) / 2.0;
    }
    return ranks;
  }

  /// {@return how far apart values are: the highest over the lowest, less 1}
  static double apart(List<Double> values) {
    double low = values.stream().mapToDouble(Double::doubleValue).min().orElse(1);
    double high = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    return high / low - 1;
  }

  /// {@return their mean}
  static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }
}
