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
import io.headrace.order.EpochPlan;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.order.Permutation;
import io.headrace.order.RegionEpoch;
import io.headrace.order.TwoRegion;
import io.headrace.store.Gather;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What a loader remembers from epoch to epoch: samples in a cache, and where a two-region order
/// stands. Its bytes are taken from the loader's budget as a whole.
final class SampleMemory implements AutoCloseable {
  /// Share of a two-region cache that is planned with; the rest is for samples larger than most.
  private static final double PLANNED = 0.97;

  /// Of the memory allowed, one part in so many is for what readers read together.
  private static final long SHARE_TOGETHER = 64;

  private final Dataset dataset;
  private final LoadOptions options;
  private final MemoryBudget budget;
  private final CachedSample table = new CachedSample();
  private @Nullable ByteCache cache;
  private final @Nullable TwoRegion regions;
  private final long regionStart;
  private final int regionSize;

  /// Numbers of each kind's samples in the rank's part, or null if kinds do not matter.
  private final int @Nullable [][] kinds;

  private FidelityMix fidelity;
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
    fidelity = options.fidelity().at(0);
    options.fidelity().stages().forEach(stage -> checkFidelity(stage.fidelity()));
    if (!dataset.indexed()) {
      checkStreams(options);
    }
    boolean parts = spec instanceof CacheSpec.TwoRegion;
    long size = dataset.size();
    regionStart = parts ? size * options.rank() / options.world() : 0;
    regionSize = parts ? (int) (size * (options.rank() + 1) / options.world() - regionStart) : 0;
    kinds =
        options.mix() == Mix.CONSTANT
            ? kindsOf(dataset, regionStart, parts ? regionSize : size)
            : null;
    if (spec instanceof CacheSpec.None || size <= 0) {
      cache = null;
      regions = null;
      warmHitRate = 0;
      return;
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new ConfigException("%d samples are too many for a cache".formatted(size));
    }
    if (!budget.tryReserve(spec.bytes())) {
      throw new ConfigException(
          "a cache of %d bytes does not fit into the %d of memory allowed"
              .formatted(spec.bytes(), options.memory()));
    }
    if (parts && regionSize == 0) {
      throw new ConfigException(
          "%d samples for %d ranks with a part each: expected at least one a rank"
              .formatted(size, options.world()));
    }
    double fits = fits();
    switch (spec) {
      case CacheSpec.Lru(long bytes) -> {
        regions = null;
        warmHitRate = lruHitRate(options, fits / size);
      }
      case CacheSpec.MinIo(long bytes) -> {
        regions = null;
        warmHitRate = HitRates.fixed((double) chosen() / size);
      }
      case CacheSpec.TwoRegion(long bytes) -> {
        int part = regionSize;
        int[][] members = kinds == null ? new int[][] {IntStream.range(0, part).toArray()} : kinds;
        int capacity =
            Math.clamp((long) (fits * PLANNED) - 2L * options.readers(), members.length, part);
        regions =
            new TwoRegion(
                members,
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
    cache = openCache();
  }

  /// {@return how many samples fit into the cache}
  private double fits() {
    long bytes = options.cache().bytes();
    return (double) bytes / CachedSample.footprint(meanBytes(dataset), bytes);
  }

  private long chosen() {
    return (long) Math.min((double) dataset.size(), fits());
  }

  private @Nullable ByteCache openCache() {
    int size = (int) dataset.size();
    return switch (options.cache()) {
      case CacheSpec.Lru(long bytes) -> new LruCache(bytes, size);
      case CacheSpec.MinIo(long bytes) -> new MinIoCache(bytes, size, chosen(), options.seed());
      case CacheSpec.TwoRegion(long bytes) -> new RegionCache(bytes, regionSize);
      case CacheSpec.None() -> null;
    };
  }

  /// {@return the numbers of each kind's samples of a part, counted from its first; kinds in the
  /// order in which they first come}
  private static int[][] kindsOf(Dataset dataset, long start, long size) {
    if (size > Integer.MAX_VALUE - 8) {
      throw new ConfigException("%d samples are too many for a constant mix".formatted(size));
    }
    Map<Integer, IntStream.Builder> kinds = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      kinds.computeIfAbsent(dataset.kindOf(start + i), _ -> IntStream.builder()).add(i);
    }
    return kinds.values().stream().map(b -> b.build().toArray()).toArray(int[][]::new);
  }

  /// Checks that a fidelity can be read with the cache there is.
  ///
  /// @throws ConfigException if it cannot
  void checkFidelity(FidelityMix mix) {
    if (!mix.constant() && !(options.cache() instanceof CacheSpec.None)) {
      throw new ConfigException(
          "fidelity %s with cache %s: a cache holds samples of one fidelity"
              .formatted(mix, options.cache().name()));
    }
  }

  /// Goes on at a fidelity: what is cached of another one is dropped. No epoch may be running.
  private void fidelity(FidelityMix mix) {
    ByteCache old = cache;
    if (old != null && !mix.equals(fidelity)) {
      old.close();
      cache = openCache();
      warm = false;
    }
    fidelity = mix;
  }

  /// {@return all that decides the order beside seed, epoch and the dataset, in words}
  String orderText() {
    String order = options.order().toString();
    String mixed = options.mix() == Mix.CONSTANT ? order + " mix=constant" : order;
    if (regions != null) {
      return "%s batch=%d world=%d cache=%d readers=%d"
          .formatted(
              mixed,
              options.batchSize(),
              options.world(),
              options.cache().bytes(),
              options.readers());
    }
    return dataset.indexed() ? mixed : mixed + " streamed " + StreamSupply.orderText(options);
  }

  /// {@return what becomes of the rest of an epoch}
  EpochPlan plan(long done) {
    long size = dataset.size();
    if (size < 0) {
      return options.deal().plan(-1);
    }
    EpochOrder.checkDone(done, size);
    return regions == null
        ? options.deal().plan(size - done)
        : options.deal().planOfPart(regionSize, had(done), size, done);
  }

  /// {@return samples that this rank has had of its part}
  private long had(long done) {
    return Math.clamp(
        (done - options.rank() + options.world() - 1) / options.world(), 0, regionSize);
  }

  private static void checkStreams(LoadOptions options) {
    if (!(options.cache() instanceof CacheSpec.None)
        || options.mix() == Mix.CONSTANT
        || options.order() instanceof OrderSpec.Block
        || options.order() instanceof OrderSpec.TwoRegion) {
      throw new ConfigException(
          ("order %s, %s mix, with cache %s needs a dataset whose samples can be read one by one, not"
                      + " streams:")
                  .formatted(options.order(), options.mix().label(), options.cache().name())
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
  Plan begin(long number, long done, FidelityMix mix) {
    fidelity(mix);
    hits = new LongAdder();
    misses = new LongAdder();
    wasWarm = warm;
    warm = true;
    if (regions != null) {
      RegionEpoch epoch = regions.epoch(number);
      EpochOrder.checkDone(done, dataset.size());
      long had = had(done);
      long count = options.deal().countOfPart(regionSize, had, dataset.size(), done);
      return new Plan(new EpochOrder(epoch.order(), had, count), epoch, (int) had);
    }
    Permutation permutation =
        kinds == null
            ? Permutation.of(options.order(), dataset.size(), options.seed(), number)
            : Permutation.stratified(kinds, options.seed(), number);
    int run = kinds == null ? 1 : options.batchSize();
    return new Plan(new EpochOrder(permutation, done, options.deal(), run), null, 0);
  }

  /// An epoch's order.
  ///
  /// @param order the samples of this rank, numbered in its part of the dataset
  /// @param regions what to load and what to keep, or null
  /// @param skipped positions of `regions` that were delivered before
  record Plan(EpochOrder order, @Nullable RegionEpoch regions, int skipped) {}

  /// {@return a fetcher for each of an epoch's readers}
  FetcherSource fetchers(Plan plan, FidelityCounts counts) {
    ByteCache c = cache;
    RegionEpoch epoch = plan.regions();
    if (c == null) {
      long together = budget.limit() / SHARE_TOGETHER / options.readers();
      return () ->
          new Fetcher.Reading(
              dataset.openReader(), plan.order(), counts, misses, new Gather(budget, together));
    }
    if (c instanceof RegionCache region && epoch != null) {
      var shared = new RegionFetcher.Shared(epoch, region, regionStart, plan.skipped());
      return () ->
          new RegionFetcher(
              dataset.openReader(), plan.order(), counts, shared, table, budget, hits, misses);
    }
    return () ->
        new Fetcher.Caching(
            dataset.openReader(), plan.order(), counts, c, table, budget, hits, misses);
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
