package io.headrace.order;

import java.util.Arrays;
import java.util.BitSet;

/// One epoch of a [TwoRegion] order. Immutable.
public final class RegionEpoch {
  private final long number;
  private final int[] order;
  private final BitSet kept;
  private final int[] loads;
  private final int[] due;
  private final int firstLoads;
  private final BitSet loaded = new BitSet();

  RegionEpoch(long number, int[] order, BitSet kept, int[] loads, int[] due, int firstLoads) {
    this.number = number;
    this.order = order;
    this.kept = kept;
    this.loads = loads;
    this.due = due;
    this.firstLoads = firstLoads;
    for (int sample : loads) {
      loaded.set(sample);
    }
  }

  /// {@return its number, from 0}
  public long number() {
    return number;
  }

  /// {@return the order in which samples are delivered}
  public Permutation order() {
    return new Listed(order);
  }

  /// {@return whether the sample at `position` stays in memory for the next epoch}
  public boolean keeps(int position) {
    return kept.get(position);
  }

  /// {@return samples that are read from disk}
  public int loads() {
    return loads.length;
  }

  /// {@return the sample that is read as the `n`th}
  public int load(int n) {
    return loads[n];
  }

  /// {@return how many samples must have been read when the one at `position` is drawn: one for
  ///     each evicted before, and in the first epoch also as many as fit}
  public int dueAt(int position) {
    return due[position];
  }

  /// {@return samples read before the first is drawn: none but in the first epoch}
  public int firstLoads() {
    return firstLoads;
  }

  /// {@return whether a sample is read from disk in this epoch; else it was kept from the last one}
  public boolean isLoaded(int sample) {
    return loaded.get(sample);
  }

  @Override
  public String toString() {
    return "epoch "
        + number
        + " of "
        + Arrays.toString(Arrays.copyOf(order, Math.min(10, order.length)));
  }
}
