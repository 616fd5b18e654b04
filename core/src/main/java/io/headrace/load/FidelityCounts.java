package io.headrace.load;

import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/// An epoch's fidelity: which sample is read how far, and what that took. Thread-safe.
final class FidelityCounts {
  private final FidelityMix mix;
  private final long seed;
  private final long epoch;
  private final LongAdder[] samples;
  private final LongAdder[] bytes;

  /// @param groups the most that a sample of the dataset has
  FidelityCounts(FidelityMix mix, int groups, long seed, long epoch) {
    this.mix = mix;
    this.seed = seed;
    this.epoch = epoch;
    samples = adders(groups);
    bytes = adders(groups);
  }

  private static LongAdder[] adders(int groups) {
    var adders = new LongAdder[groups];
    for (int i = 0; i < groups; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }

  /// {@return groups to read of a sample}
  int draw(long sample, CounterRandom random) {
    return mix.draw(seed, epoch, sample, random);
  }

  void add(int groups, long samplesRead, long bytesRead) {
    int at = Math.min(groups, samples.length) - 1;
    samples[at].add(samplesRead);
    bytes[at].add(bytesRead);
  }

  List<FidelityReading> readAll() {
    List<FidelityReading> all = new ArrayList<>();
    for (int i = 0; i < samples.length; i++) {
      if (samples[i].sum() > 0) {
        all.add(new FidelityReading(i + 1, samples[i].sum(), bytes[i].sum()));
      }
    }
    return all;
  }
}
