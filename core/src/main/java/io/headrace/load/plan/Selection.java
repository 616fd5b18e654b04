package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.order.Permutation;
import io.headrace.order.Sequence;

/// Which samples an epoch has, and in which order: a pure function of the epoch's number. All else
/// that knows of epochs follows from it: how they are dealt out to ranks ([EpochOrders]), how long
/// they are, and where one is resumed.
///
/// A new way to choose samples is one of these, and a line of [#of].
interface Selection {
  /// {@return the selection that the options ask for}
  ///
  /// @throws ConfigException if the dataset has no such samples
  static Selection of(LoadSetting setting) {
    long size = setting.dataset().size();
    LoadOptions options = setting.options();
    if (!options.choice().all()) {
      if (options.mix() == Mix.CONSTANT) {
        throw new ConfigException(
            "a constant mix with a subset or weights: its batches are made of all samples");
      }
      return new Chosen(setting);
    }
    int[][] kinds = EpochOrders.kindsOf(setting, 0, size);
    return options.mix() == Mix.CONSTANT && kinds != null
        ? new Stratified(kinds, size, options.seed(), options.batchSize())
        : new Whole(options.order(), size, options.seed());
  }

  /// {@return samples of an epoch in all ranks together; -1 if only reading tells}
  long size();

  /// {@return the samples of an epoch}
  Sequence epoch(long number);

  /// {@return neighbours that are dealt to a rank at one time}
  int run();

  /// All samples, each once.
  record Whole(OrderSpec order, long size, long seed) implements Selection {
    @Override
    public Sequence epoch(long number) {
      return Permutation.of(order, size, seed, number);
    }

    @Override
    public int run() {
      return 1;
    }
  }

  /// All samples, each once, and of each kind the same number in every batch.
  ///
  /// @param kinds numbers of each kind's samples
  @SuppressWarnings("ArrayRecordComponent") // large, and never compared
  record Stratified(int[][] kinds, long size, long seed, int run) implements Selection {
    @Override
    public Sequence epoch(long number) {
      return Permutation.stratified(kinds, seed, number);
    }
  }
}
