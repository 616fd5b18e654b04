package io.headrace.order;

import io.headrace.random.CounterRandom;

/// Samples drawn with replacement, each as often as its weight says. What stands at a position is a
/// pure function of seed, epoch and position, so that an epoch can be dealt out to ranks and
/// resumed anywhere.
///
/// Source: the alias method of Walker as built by Vose ("A linear algorithm for generating random
/// numbers with a given distribution", 1991): two random numbers and one look-up a draw, 12 bytes a
/// sample.
public final class WeightedDraw {
  private static final long STREAM = 0x7765696768740000L;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  /// The odds that a column of the table gives its own sample, and not the other one.
  private final double[] odds;

  private final int[] others;

  /// @param weights at least 0, one a sample; their sum is above 0
  public WeightedDraw(double[] weights) {
    int n = weights.length;
    double sum = 0;
    int heaviest = 0;
    for (int i = 0; i < n; i++) {
      sum += weights[i];
      heaviest = weights[i] > weights[heaviest] ? i : heaviest;
    }
    odds = new double[n];
    others = new int[n];
    int[] small = new int[n];
    int[] large = new int[n];
    int smalls = 0;
    int larges = 0;
    for (int i = 0; i < n; i++) {
      odds[i] = weights[i] / sum * n;
      others[i] = i;
      if (odds[i] < 1) {
        small[smalls++] = i;
      } else {
        large[larges++] = i;
      }
    }
    while (smalls > 0 && larges > 0) {
      int less = small[--smalls];
      int more = large[larges - 1];
      others[less] = more;
      odds[more] -= 1 - odds[less];
      if (odds[more] < 1) {
        larges--;
        small[smalls++] = more;
      }
    }
    while (larges > 0) {
      odds[large[--larges]] = 1;
    }
    while (smalls > 0) { // by rounding alone
      int last = small[--smalls];
      odds[last] = weights[last] > 0 ? 1 : 0;
      others[last] = heaviest;
    }
  }

  /// {@return the draws of an epoch}
  ///
  /// @param count how many
  public Sequence epoch(long count, long seed, long number) {
    return new Draws(this, count, CounterRandom.mix(CounterRandom.mix(seed + STREAM) ^ number));
  }

  private int draw(long key, long position) {
    long word = CounterRandom.mix(key + GOLDEN * (2 * position + 1));
    int column = (int) Math.unsignedMultiplyHigh(word, odds.length);
    long second = CounterRandom.mix(key + GOLDEN * (2 * position + 2));
    return (second >>> 11) * 0x1.0p-53 < odds[column] ? column : others[column];
  }

  /// @param key of its random numbers
  private record Draws(WeightedDraw table, long size, long key) implements Sequence {
    @Override
    public long at(long position) {
      return table.draw(key, position);
    }

    /// A sample that comes several times is cropped differently each time.
    @Override
    public long turn(long position, long epoch) {
      return epoch * size + position;
    }
  }
}
