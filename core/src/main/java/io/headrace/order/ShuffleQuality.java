package io.headrace.order;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;

/// How well an order is mixed. Pure functions.
public final class ShuffleQuality {
  private ShuffleQuality() {}

  /// Spearman's rank correlation between the position of a sample in an epoch and its place on
  /// disk: 0 for a full shuffle (give or take 1/√n), 1 for stored order.
  ///
  /// @param n samples in the epoch
  /// @param sampleAt the sample at each position: of 0 … n−1 each once
  public static double diskCorrelation(long n, LongUnaryOperator sampleAt) {
    double squares = 0;
    for (long p = 0; p < n; p++) {
      double d = sampleAt.applyAsLong(p) - (double) p;
      squares += d * d;
    }
    return n < 2 ? 0 : 1 - 6 * squares / (n * ((double) n * n - 1));
  }

  /// Spearman's rank correlation between the positions of a sample in two epochs.
  ///
  /// @param n samples in each
  public static double epochCorrelation(
      int n, LongUnaryOperator sampleAt, LongUnaryOperator sampleAtBefore) {
    int[] positions = new int[n];
    for (int p = 0; p < n; p++) {
      positions[(int) sampleAtBefore.applyAsLong(p)] = p;
    }
    return diskCorrelation(n, p -> positions[(int) sampleAt.applyAsLong(p)]);
  }

  /// How unevenly classes fall on batches, as a multiple of what a full shuffle gives: the squared
  /// deviation of each class's count in each batch from its share, over the variance of the
  /// hypergeometric distribution, on average. 1 for a full shuffle; the batch size, about, where
  /// batches hold one class each; below 1 where batches are balanced on purpose.
  ///
  /// @param labels of the samples in delivered order, each from 0
  /// @param batch samples in a batch; a short last one is left out
  public static double classImbalance(int[] labels, int batch) {
    int n = labels.length;
    int classes = 0;
    for (int label : labels) {
      classes = Math.max(classes, label + 1);
    }
    double[] totals = new double[classes];
    for (int label : labels) {
      totals[label]++;
    }
    if (n < 2 || batch >= n) {
      return 1;
    }
    double found = 0;
    double expected = 0;
    int[] counts = new int[classes];
    for (int start = 0; start + batch <= n; start += batch) {
      Arrays.fill(counts, 0);
      for (int i = start; i < start + batch; i++) {
        counts[labels[i]]++;
      }
      for (int c = 0; c < classes; c++) {
        double share = totals[c] / n;
        double deviation = counts[c] - batch * share;
        found += deviation * deviation;
        expected += batch * share * (1 - share) * (n - batch) / (n - 1.0);
      }
    }
    return expected == 0 ? 1 : found / expected;
  }
}
