package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.order.EpochOrder;
import io.headrace.order.EpochPlan;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.order.RegionEpoch;
import io.headrace.order.Sequence;
import io.headrace.order.Stride;
import io.headrace.order.TwoRegion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The orders of a loader's epochs. Its samples are all of the dataset's or, where each rank has a
/// part of its own, numbered from the first of that.
public abstract sealed class EpochOrders {
  final Dataset dataset;
  final LoadOptions options;

  private EpochOrders(LoadSetting setting) {
    dataset = setting.dataset();
    options = setting.options();
  }

  /// An epoch's order.
  ///
  /// @param order the samples of this rank
  /// @param regions what to load and what to keep, or null
  /// @param skipped positions of `regions` that were delivered before
  public record Begun(EpochOrder order, @Nullable RegionEpoch regions, int skipped) {
    /// {@return the part of it that some of its batches are}
    ///
    /// @throws ConfigException if it has regions
    public Begun only(Stride some) {
      if (regions != null && !some.equals(Stride.ALL)) {
        throw new ConfigException(
            "some batches of the two-region order, which keeps what it loads in order: expected"
                + " all");
      }
      return new Begun(order.only(some), regions, skipped);
    }
  }

  /// {@return the order of the rest of an epoch}
  ///
  /// @param done samples that all ranks have had of it
  public abstract Begun begin(long number, long done);

  /// {@return the plan of the rest of an epoch}
  ///
  /// @throws ConfigException if the epoch is known to have fewer samples than are done
  public abstract EpochPlan plan(long done);

  /// {@return samples of an epoch in all ranks together; -1 if only reading tells}
  public abstract long size();

  /// {@return all that decides the order beside seed, epoch and the dataset, in words}
  public String text() {
    String order = options.order() + options.choice().text();
    return options.mix() == Mix.CONSTANT ? order + " mix=constant" : order;
  }

  /// {@return the odds that an epoch asks this rank for a sample it can ask for}
  public abstract double share();

  /// {@return the numbers of each kind's samples of a part, counted from its first, kinds in the
  ///     order of their first samples; null if kinds do not matter}
  static int @Nullable [][] kindsOf(LoadSetting setting, long start, long size) {
    if (setting.options().mix() != Mix.CONSTANT) {
      return null;
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new ConfigException("%d samples are too many for a constant mix".formatted(size));
    }
    Map<Integer, IntStream.Builder> kinds = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      kinds.computeIfAbsent(setting.dataset().kindOf(start + i), _ -> IntStream.builder()).add(i);
    }
    return kinds.values().stream().map(b -> b.build().toArray()).toArray(int[][]::new);
  }

  /// A selection of samples, dealt out among the ranks anew each epoch; or of streams, whose order
  /// shows while they are read.
  public static final class Permuted extends EpochOrders {
    private final Selection selection;

    public Permuted(LoadSetting setting) {
      super(setting);
      selection = Selection.of(setting);
    }

    @Override
    public Begun begin(long number, long done) {
      Sequence samples = selection.epoch(number);
      var order = new EpochOrder(samples, done, options.deal(), selection.run());
      return new Begun(order, null, 0);
    }

    @Override
    public EpochPlan plan(long done) {
      long size = size();
      if (size < 0) {
        return options.deal().plan(-1);
      }
      EpochOrder.checkDone(done, size);
      return options.deal().plan(size - done);
    }

    @Override
    public long size() {
      return selection.size();
    }

    @Override
    public String text() {
      return dataset.indexed()
          ? super.text()
          : super.text() + " streamed " + Streams.orderText(options);
    }

    @Override
    public double share() {
      return options.order() instanceof OrderSpec.Sequential ? 1 : 1.0 / options.world();
    }
  }

  /// Orders with two regions, each rank in its own part of the dataset.
  public static final class Regions extends EpochOrders {
    private final long start;
    private final int size;
    private final int[][] kinds;
    private @Nullable TwoRegion regions;

    public Regions(LoadSetting setting) {
      super(setting);
      if (!options.choice().all()) {
        throw new ConfigException(
            "the two-region order with a subset or weights: its cache is planned for all samples");
      }
      long all = dataset.size();
      start = all * options.rank() / options.world();
      size = (int) (all * (options.rank() + 1) / options.world() - start);
      if (size == 0) {
        throw new ConfigException(
            "%d samples for %d ranks with a part each: expected at least one a rank"
                .formatted(all, options.world()));
      }
      int[][] found = kindsOf(setting, start, size);
      kinds = found == null ? new int[][] {IntStream.range(0, size).toArray()} : found;
    }

    /// {@return number of the part's first sample in the dataset}
    public long start() {
      return start;
    }

    /// {@return samples of the part}
    public int part() {
      return size;
    }

    @Override
    public long size() {
      return dataset.size();
    }

    /// {@return kinds of samples in the part, each of which has regions of its own}
    public int kinds() {
      return kinds.length;
    }

    /// Says how many samples the two regions hold together.
    ///
    /// @return how many they do hold
    public int hold(int capacity) {
      var made =
          new TwoRegion(
              kinds,
              capacity,
              options.batchSize(),
              options.seed(),
              options.order() instanceof OrderSpec.TwoRegion(var from)
                  ? from
                  : new OrderSpec.DiskStart.Stored());
      regions = made;
      return made.capacity();
    }

    @Override
    public Begun begin(long number, long done) {
      TwoRegion made = regions;
      if (made == null) {
        throw new IllegalStateException("the regions have no size yet");
      }
      RegionEpoch epoch = made.epoch(number);
      EpochOrder.checkDone(done, dataset.size());
      long had = had(done);
      long count = options.deal().countOfPart(size, had, dataset.size(), done);
      return new Begun(new EpochOrder(epoch.order(), had, count), epoch, (int) had);
    }

    @Override
    public EpochPlan plan(long done) {
      EpochOrder.checkDone(done, dataset.size());
      return options.deal().planOfPart(size, had(done), dataset.size(), done);
    }

    /// {@return samples that this rank has had of its part}
    private long had(long done) {
      return Math.clamp((done - options.rank() + options.world() - 1) / options.world(), 0, size);
    }

    @Override
    public String text() {
      return "%s batch=%d world=%d cache=%d readers=%d"
          .formatted(
              super.text(),
              options.batchSize(),
              options.world(),
              options.cache().bytes(),
              options.readers());
    }

    @Override
    public double share() {
      return 1;
    }
  }
}
