package io.headrace.load.plan;

import java.util.Arrays;

/// How likely a cache is to hold enough fidelity groups of a sample that it holds, for fidelities
/// that are drawn anew each epoch. Predicted before the epoch.
///
/// A sample that stays in the cache holds the most groups that were read of it since it came. This
/// holds for samples whose groups are parts of one image, if each has all groups.
public final class HeldGroups {
  /// Odds that fewer than n + 1 groups are held; 1 while nothing is.
  private final double[] fewer;

  /// Odds that the last epoch drew fewer than n + 1 groups.
  private final double[] last;

  /// @param groups the most that a sample has, at least 1
  public HeldGroups(int groups) {
    fewer = new double[groups];
    last = new double[groups];
    forget();
  }

  /// The cache was emptied.
  public void forget() {
    Arrays.fill(fewer, 1);
    Arrays.fill(last, 1);
  }

  /// {@return the odds that what is held is enough for an epoch}
  public double enough(FidelityMix mix) {
    return enough(mix, fewer);
  }

  /// {@return the odds that what the last epoch read is enough, apart from what was read before}
  public double enoughOfLast(FidelityMix mix) {
    return enough(mix, last);
  }

  private static double enough(FidelityMix mix, double[] fewer) {
    double odds = 0;
    for (FidelityMix.Part part : mix.parts()) {
      odds += part.probability() * (1 - fewer[Math.min(part.groups(), fewer.length) - 1]);
    }
    return odds;
  }

  /// Notes that an epoch has gone by.
  ///
  /// @param seen odds that a sample was asked for in it
  /// @param stays odds that a sample held after it was held before it too, if it was asked for
  public void after(FidelityMix mix, double seen, double stays) {
    Arrays.fill(last, 0);
    for (FidelityMix.Part part : mix.parts()) {
      for (int n = Math.min(part.groups(), last.length); n < last.length; n++) {
        last[n] += part.probability();
      }
    }
    for (int n = 0; n < fewer.length; n++) {
      fewer[n] = (1 - seen) * fewer[n] + seen * last[n] * (1 - stays + stays * fewer[n]);
    }
  }
}
