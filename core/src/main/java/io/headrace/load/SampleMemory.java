package io.headrace.load;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.load.cache.ByteCache;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.cache.CachedSample;
import io.headrace.load.cache.HitRates;
import io.headrace.load.cache.LruCache;
import io.headrace.load.cache.MinIoCache;
import io.headrace.load.cache.RegionCache;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.EpochOrder;
import io.headrace.order.OrderSpec;
import io.headrace.order.Permutation;
import io.headrace.order.RegionEpoch;
import io.headrace.order.TwoRegion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// What a loader remembers from epoch to epoch: samples in a cache, and where a two-region order
/// stands. Its bytes are taken from the loader's budget as a whole.
final class SampleMemory implements AutoCloseable {
  /// Share of a two-region cache that is planned with; the rest is for samples larger than most.
  private static final double PLANNED = 0.97;

  private final Dataset dataset;
  private final LoadOptions options;
  private final MemoryBudget budget;
  private final CachedSample table = new CachedSample();
  private final @Nullable ByteCache cache;
  private final @Nullable TwoRegion regions;
  private final long regionStart;
  private final double warmHitRate;
  private LongAdder hits = new LongAdder();
  private LongAdder misses = new LongAdder();
  private boolean warm;
  private boolean wasWarm;

  /// @throws ConfigException if the dataset can only be streamed and a cache or an order is asked
  ///     for that needs more, or if the cache does not fit into the budget
  /// @throws UncheckedIOException if the dataset's size cannot be had
  SampleMemory(Dataset dataset, LoadOptions options, MemoryBudget budget) {
    this.dataset = dataset;
    this.options = options;
    this.budget = budget;
    CacheSpec spec = options.cache();
    if (!dataset.indexed()) {
      checkStreams(options);
    }
    if (spec instanceof CacheSpec.None || dataset.size() <= 0) {
      cache = null;
      regions = null;
      regionStart = 0;
      warmHitRate = 0;
      return;
    }
    long size = dataset.size();
    if (size > Integer.MAX_VALUE - 8) {
      throw new ConfigException("%d samples are too many for a cache".formatted(size));
    }
    if (!budget.tryReserve(spec.bytes())) {
      throw new ConfigException(
          "a cache of %d bytes does not fit into the %d of memory allowed"
              .formatted(spec.bytes(), options.memory()));
    }
    double fits = (double) spec.bytes() / CachedSample.footprint(meanBytes(dataset), spec.bytes());
    switch (spec) {
      case CacheSpec.Lru(long bytes) -> {
        cache = new LruCache(bytes, (int) size);
        regions = null;
        regionStart = 0;
        warmHitRate = lruHitRate(options, fits / size);
      }
      case CacheSpec.MinIo(long bytes) -> {
        long chosen = (long) Math.min((double) size, fits);
        cache = new MinIoCache(bytes, (int) size, chosen, options.seed());
        regions = null;
        regionStart = 0;
        warmHitRate = HitRates.fixed((double) chosen / size);
      }
      case CacheSpec.TwoRegion(long bytes) -> {
        regionStart = size * options.rank() / options.world();
        int part = (int) (size * (options.rank() + 1) / options.world() - regionStart);
        int capacity = Math.clamp((long) (fits * PLANNED) - 2L * options.readers(), 1, part);
        cache = new RegionCache(bytes, part);
        regions =
            new TwoRegion(
                part,
                fits >= part ? part : capacity,
                options.batchSize(),
                options.seed(),
                options.order() instanceof OrderSpec.TwoRegion(var start)
                    ? start
                    : new OrderSpec.DiskStart.Stored());
        warmHitRate = HitRates.fixed((double) regions.capacity() / part);
      }
      case CacheSpec.None() -> throw new AssertionError("handled above");
    }
  }

  private static void checkStreams(LoadOptions options) {
    if (!(options.cache() instanceof CacheSpec.None)
        || options.order() instanceof OrderSpec.Block
        || options.order() instanceof OrderSpec.TwoRegion) {
      throw new ConfigException(
          "order %s with cache %s needs a dataset whose samples can be read one by one, not streams:"
                  .formatted(options.order(), options.cache().name())
              + " convert it without compression of whole shards");
    }
  }

  private static double meanBytes(Dataset dataset) {
    try {
      return (double) dataset.storedBytes() / dataset.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double lruHitRate(LoadOptions options, double share) {
    if (options.world() > 1) {
      return share >= 1 ? 1 : Double.NaN; // each epoch deals out another part
    }
    return switch (options.order()) {
      case OrderSpec.Sequential _, OrderSpec.Buffer _ -> HitRates.lruSequential(share);
      case OrderSpec.Full _, OrderSpec.Block _, OrderSpec.Interleave _, OrderSpec.TwoRegion _ ->
          HitRates.lruShuffled(share);
    };
  }

  /// Begins an epoch.
  ///
  /// @param done samples that all ranks have had of it
  Plan begin(long number, long done) {
    hits = new LongAdder();
    misses = new LongAdder();
    wasWarm = warm;
    warm = true;
    if (regions != null) {
      RegionEpoch epoch = regions.epoch(number);
      EpochOrder.checkDone(done, dataset.size());
      long before =
          Math.clamp(
              (done - options.rank() + options.world() - 1) / options.world(),
              0,
              epoch.order().size());
      return new Plan(new EpochOrder(epoch.order(), before, 0, 1), epoch, (int) before);
    }
    Permutation permutation =
        Permutation.of(options.order(), dataset.size(), options.seed(), number);
    return new Plan(new EpochOrder(permutation, done, options.rank(), options.world()), null, 0);
  }

  /// An epoch's order.
  ///
  /// @param order the samples of this rank, numbered in its part of the dataset
  /// @param regions what to load and what to keep, or null
  /// @param skipped positions of `regions` that were delivered before
  record Plan(EpochOrder order, @Nullable RegionEpoch regions, int skipped) {}

  /// {@return a fetcher for each of an epoch's readers}
  FetcherSource fetchers(Plan plan) {
    ByteCache c = cache;
    RegionEpoch epoch = plan.regions();
    if (c == null) {
      return () -> new Fetcher.Reading(dataset.openReader(), plan.order(), misses);
    }
    if (c instanceof RegionCache region && epoch != null) {
      var shared = new RegionFetcher.Shared(epoch, region, regionStart, plan.skipped());
      return () ->
          new RegionFetcher(
              dataset.openReader(), plan.order(), shared, table, budget, hits, misses);
    }
    return () ->
        new Fetcher.Caching(dataset.openReader(), plan.order(), c, table, budget, hits, misses);
  }

  /// Opens fetchers.
  @FunctionalInterface
  interface FetcherSource {
    Fetcher open() throws IOException;
  }

  /// Wakes readers that wait for each other.
  void stop() {
    if (cache instanceof RegionCache region) {
      region.stop();
    }
  }

  CacheReading reading() {
    ByteCache c = cache;
    return new CacheReading(
        options.cache().name(),
        hits.sum(),
        misses.sum(),
        wasWarm ? warmHitRate : 0,
        c == null ? 0 : c.usedBytes(),
        options.cache().bytes());
  }

  @Override
  public void close() {
    if (cache != null) {
      cache.close();
      budget.release(options.cache().bytes());
    }
  }
}
