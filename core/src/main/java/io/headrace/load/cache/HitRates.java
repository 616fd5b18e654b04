package io.headrace.load.cache;

/// How often a cache will have what it is asked for, predicted before the run. The share `c` is the
/// part of the dataset that fits, at least 0.
public final class HitRates {
  private HitRates() {}

  /// A least-recently-used cache under a new random permutation each epoch: an item at position u
  /// of one epoch and v of the next is still there iff 1 − u (1 − v) < c, so
  /// `c + (1 − c) ln(1 − c)`.
  public static double lruShuffled(double c) {
    return c >= 1 ? 1 : c <= 0 ? 0 : c + (1 - c) * Math.log1p(-c);
  }

  /// A least-recently-used cache under the same order every epoch: all or nothing.
  public static double lruSequential(double c) {
    return c >= 1 ? 1 : 0;
  }

  /// A cache that keeps what it has: the share that fits.
  public static double fixed(double c) {
    return Math.clamp(c, 0, 1);
  }
}
