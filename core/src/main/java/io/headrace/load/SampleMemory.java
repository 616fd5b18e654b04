package io.headrace.load;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.load.cache.ByteCache;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.cache.HitRates;
import io.headrace.load.cache.LruCache;
import io.headrace.load.cache.MinIoCache;
import io.headrace.load.cache.RegionCache;
import io.headrace.load.cache.SamplePacking;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.EpochOrder;
import io.headrace.order.EpochPlan;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.order.Permutation;
import io.headrace.order.RegionEpoch;
import io.headrace.order.TwoRegion;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.Gather;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
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
  private final SamplePacking table = new SamplePacking();
  private @Nullable ByteCache cache;
  private final @Nullable TwoRegion regions;
  private final long regionStart;
  private final int regionSize;

  /// Numbers of each kind's samples in the rank's part, or null if kinds do not matter.
  private final int @Nullable [][] kinds;

  private FidelityMix fidelity;
  private final double sampleBytes;
  private final boolean estimated;
  private final double warmHitRate;
  private final HeldGroups groups;
  private @Nullable EpochOrder order;

  /// @throws ConfigException if the dataset can only be streamed and a cache or an order is asked
  ///     for that needs more, if the cache does not fit into the budget, or if decoded samples are
  ///     to be kept and pixels would be others than without
  /// @throws UncheckedIOException if the dataset's size cannot be had
  SampleMemory(Dataset dataset, Pipeline pipeline, LoadOptions options, MemoryBudget budget) {
    this.dataset = dataset;
    this.options = options;
    this.budget = budget;
    CacheSpec spec = options.cache();
    fidelity = options.fidelity().at(0);
    options.fidelity().stages().forEach(stage -> checkFidelity(stage.fidelity()));
    if (!dataset.indexed()) {
      checkStreams(options);
    }
    groups = new HeldGroups(dataset.groups());
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
      sampleBytes = 0;
      estimated = false;
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
    if (spec.decoded()) {
      checkDecoded(options);
      Pipeline prefix = Decoders.split(pipeline).offline();
      DecodedSizes sizes = DecodedSizes.of(dataset, prefix, options, budget);
      sampleBytes = sizes.meanBytes();
      estimated = sizes.estimated();
    } else {
      sampleBytes = meanBytes(dataset);
      estimated = false;
    }
    double fits = fits();
    switch (spec) {
      case CacheSpec.Lru _ -> {
        regions = null;
        warmHitRate = lruHitRate(options, fits / size);
      }
      case CacheSpec.MinIo _ -> {
        regions = null;
        warmHitRate = Double.isNaN(fits) ? fits : HitRates.fixed((double) chosen() / size);
      }
      case CacheSpec.TwoRegion _ -> {
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
      case CacheSpec.None _ -> throw new AssertionError("handled above");
    }
    cache = openCache();
  }

  /// {@return how many samples fit into the cache; NaN if that cannot be told}
  private double fits() {
    long bytes = options.cache().bytes();
    return (double) bytes / SamplePacking.footprint(sampleBytes, bytes);
  }

  private long chosen() {
    double fits = fits();
    return Double.isNaN(fits) ? dataset.size() : (long) Math.min((double) dataset.size(), fits);
  }

  private @Nullable ByteCache openCache() {
    int size = (int) dataset.size();
    return switch (options.cache()) {
      case CacheSpec.Lru lru -> new LruCache(lru.bytes(), size);
      case CacheSpec.MinIo minIo -> new MinIoCache(minIo.bytes(), size, chosen(), options.seed());
      case CacheSpec.TwoRegion two -> new RegionCache(two.bytes(), regionSize);
      case CacheSpec.None _ -> null;
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
    if (!mix.constant() && options.cache().decoded()) {
      throw new ConfigException(
          "fidelity %s with cache %s: decoded samples are of one fidelity; keep encoded ones, which"
                  .formatted(mix, options.cache().name())
              + " serve all");
    }
  }

  /// Fast decoding fits each sample's size to its random crop, and gives no image between steps.
  private static void checkDecoded(LoadOptions options) {
    if (options.decoding() == Decoding.FAST) {
      throw new ConfigException(
          "cache %s with fast decoding, which depends on the random steps: decode exactly, or keep"
                  .formatted(options.cache().name())
              + " encoded samples");
    }
  }

  /// Goes on at a fidelity: what is kept decoded of another one is dropped. No epoch may run.
  private void fidelity(FidelityMix mix) {
    ByteCache old = cache;
    if (old != null && options.cache().decoded() && !mix.equals(fidelity)) {
      old.close();
      cache = openCache();
      groups.forget();
    }
    fidelity = mix;
  }

  /// {@return the share of hits to expect of an epoch; NaN if no formula is known}
  ///
  /// @param before the fidelity of the epoch before
  private double predict(FidelityMix mix, FidelityMix before) {
    double enough = groups.enough(mix);
    if (enough > 0 && table.hasLoneLevels() && !(mix.constant() && mix.equals(before))) {
      // a level serves itself only, and all levels together, where they are kept, serve any
      double all = FidelityCounts.choosesLevels(options) ? groups.enough(FidelityMix.FULL) : 0;
      if (all < 1) {
        return all == 0 && mix.constant() && before.constant() ? 0 : Double.NaN;
      }
    }
    if (enough > 0
        && options.cache() instanceof CacheSpec.Lru
        && warmHitRate < 1
        && Math.abs(enough - groups.enoughOfLast(mix)) > 1e-9) {
      return Double.NaN; // what is there depends on how long it has been
    }
    return enough > 0 ? enough * warmHitRate : 0;
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
    return dataset.indexed() ? mixed : mixed + " streamed " + StreamSource.orderText(options);
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
          ("order %s, %s mix, with cache %s needs a dataset whose samples can be read one by one,"
                      + " not streams:")
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
    FidelityMix before = fidelity;
    fidelity(mix);
    double predicted = predict(mix, before);
    boolean asked = regions != null || options.order() instanceof OrderSpec.Sequential;
    groups.after(mix, asked ? 1 : 1.0 / options.world(), regions == null ? 1 : warmHitRate);
    Plan plan = plan(number, done, predicted);
    order = plan.order();
    return plan;
  }

  /// {@return whether an epoch may begin before the one before it has ended: all that is left in
  /// between is shared or the epoch's own}
  boolean allowsAhead() {
    CacheSpec spec = options.cache();
    return dataset.indexed() && regions == null && !spec.decoded();
  }

  private Plan plan(long number, long done, double predicted) {
    var counts = new CacheCounts();
    if (regions != null) {
      RegionEpoch epoch = regions.epoch(number);
      EpochOrder.checkDone(done, dataset.size());
      long had = had(done);
      long count = options.deal().countOfPart(regionSize, had, dataset.size(), done);
      return new Plan(
          new EpochOrder(epoch.order(), had, count), epoch, (int) had, counts, predicted);
    }
    Permutation permutation =
        kinds == null
            ? Permutation.of(options.order(), dataset.size(), options.seed(), number)
            : Permutation.stratified(kinds, options.seed(), number);
    int run = kinds == null ? 1 : options.batchSize();
    return new Plan(
        new EpochOrder(permutation, done, options.deal(), run), null, 0, counts, predicted);
  }

  /// An epoch's order.
  ///
  /// @param order the samples of this rank, numbered in its part of the dataset
  /// @param regions what to load and what to keep, or null
  /// @param skipped positions of `regions` that were delivered before
  /// @param counts what the cache does in it
  /// @param predicted share of hits, NaN if no formula is known
  record Plan(
      EpochOrder order,
      @Nullable RegionEpoch regions,
      int skipped,
      CacheCounts counts,
      double predicted) {}

  /// {@return a fetcher for each of an epoch's readers}
  FetcherSource fetchers(Plan plan, FidelityCounts fidelities) {
    ByteCache c = cache;
    CacheCounts counts = plan.counts();
    RegionEpoch epoch = plan.regions();
    if (c == null) {
      long together = budget.limit() / SHARE_TOGETHER / options.readers();
      return () ->
          new Fetcher.Reading(
              dataset.openReader(),
              plan.order(),
              fidelities,
              counts.misses(),
              new Gather(budget, together));
    }
    if (c instanceof RegionCache region && epoch != null) {
      var shared = new RegionFetcher.Shared(epoch, region, regionStart, plan.skipped());
      return () ->
          new RegionFetcher(
              dataset.openReader(), plan.order(), fidelities, shared, table, budget, counts);
    }
    if (options.cache().decoded()) {
      return () ->
          new Fetcher.Decoded(dataset.openReader(), plan.order(), fidelities, c, table, counts);
    }
    return () ->
        new Fetcher.Caching(
            dataset.openReader(), plan.order(), fidelities, c, table, budget, counts);
  }

  /// {@return the cache, or null if there is none}
  @Nullable ByteCache cache() {
    return cache;
  }

  /// {@return what packs samples for the cache}
  SamplePacking table() {
    return table;
  }

  /// {@return the number in the cache of the sample at a position of the epoch under way}
  long numberAt(long position) {
    return Objects.requireNonNull(order, "no epoch has begun").sampleAt(position);
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

  /// {@return what the cache does in an epoch, or null's if it is not counted}
  CacheReading reading(@Nullable Plan plan) {
    ByteCache c = cache;
    CacheCounts counts = plan == null ? new CacheCounts() : plan.counts();
    double predicted = plan == null ? 0 : plan.predicted();
    return new CacheReading(
        options.cache().name(),
        counts.hits().sum(),
        counts.misses().sum(),
        counts.extended().sum(),
        predicted,
        estimated && predicted > 0,
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
