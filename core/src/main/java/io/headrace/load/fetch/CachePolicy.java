package io.headrace.load.fetch;

import io.headrace.error.ConfigException;
import io.headrace.load.cache.ByteCache;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.cache.HitRates;
import io.headrace.load.cache.LruCache;
import io.headrace.load.cache.MinIoCache;
import io.headrace.load.cache.RegionCache;
import io.headrace.load.cache.SamplePacking;
import io.headrace.load.plan.EpochOrders;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.order.OrderSpec;
import io.headrace.order.RegionEpoch;
import io.headrace.store.Gather;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What is kept of samples between epochs: the memory for it, how samples are fetched with its
/// help, and how often it will have them. A new policy is a [CacheSpec] and one of these.
abstract sealed class CachePolicy implements AutoCloseable {
  final LoadSetting setting;
  final LoadOptions options;
  final SamplePacking packing;

  private CachePolicy(LoadSetting setting) {
    this(setting, new SamplePacking(!setting.fields().isEmpty()));
  }

  private CachePolicy(LoadSetting setting, SamplePacking packing) {
    this.setting = setting;
    options = setting.options();
    this.packing = packing;
  }

  /// {@return the policy that the options ask for, with its memory taken}
  ///
  /// @param other of the same options, but for seed and rank, whose cache it uses too; or null
  /// @throws ConfigException if the cache does not fit into the memory allowed, or does not go with
  ///     the dataset or other options
  /// @throws java.io.UncheckedIOException if the dataset's size cannot be read
  static CachePolicy of(LoadSetting setting, @Nullable CachePolicy other) {
    CacheSpec spec = setting.options().cache();
    long size = setting.dataset().size();
    if (spec instanceof CacheSpec.None || size <= 0) {
      return new Nothing(setting);
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new ConfigException("%d samples are too many for a cache".formatted(size));
    }
    if (other instanceof Samples kept) {
      return new Samples(setting, kept);
    }
    if (other != null) {
      throw new ConfigException(
          "cache %s holds what one order needs next: it cannot be shared, so keep samples with lru or"
                  .formatted(spec.name())
              + " minio");
    }
    if (!setting.budget().tryReserve(spec.bytes())) {
      throw new ConfigException(
          "a cache of %d bytes does not fit into the %d of memory allowed"
              .formatted(spec.bytes(), setting.options().memory()));
    }
    return spec instanceof CacheSpec.TwoRegion ? new Regions(setting) : new Samples(setting, null);
  }

  /// What fetchers of an epoch share.
  ///
  /// @param begun its order
  /// @param fidelities how far each sample is read
  /// @param counts what the cache does
  record EpochReads(EpochOrders.Begun begun, FidelityCounts fidelities, CacheCounts counts) {}

  /// Opens fetchers.
  @FunctionalInterface
  interface FetcherSource {
    Fetcher open() throws IOException;
  }

  /// {@return the orders that go with it}
  abstract EpochOrders orders();

  /// {@return the cache, or null if there is none}
  abstract @Nullable ByteCache cache();

  /// {@return bytes of memory that it uses now}
  long usedBytes() {
    ByteCache held = cache();
    return held == null ? 0 : held.usedBytes();
  }

  /// {@return the share of hits once it is warm; NaN if no formula is known}
  abstract double warmHitRate();

  /// {@return whether [#warmHitRate] rests on the sizes of some samples only}
  abstract boolean estimated();

  /// {@return a fetcher for each of an epoch's readers}
  abstract FetcherSource fetchers(EpochReads reads);

  /// {@return whether what is held of a sample at an epoch's end was held before it too}
  double stays() {
    return 1;
  }

  /// Drops all samples.
  void forget() {}

  /// Wakes readers that wait for each other.
  void stop() {}

  @Override
  public void close() {
    ByteCache held = cache();
    if (held != null) {
      held.close();
      setting.budget().release(options.cache().bytes());
    }
  }

  /// Every sample is read every epoch, and neighbours together.
  private static final class Nothing extends CachePolicy {
    /// Readers that read neighbours together may use one part in so many of the memory allowed.
    private static final long SHARE_TOGETHER = 64;

    private final EpochOrders orders;

    Nothing(LoadSetting setting) {
      super(setting);
      orders = new EpochOrders.Permuted(setting);
    }

    @Override
    EpochOrders orders() {
      return orders;
    }

    @Override
    @Nullable ByteCache cache() {
      return null;
    }

    @Override
    double warmHitRate() {
      return 0;
    }

    @Override
    boolean estimated() {
      return false;
    }

    @Override
    FetcherSource fetchers(EpochReads reads) {
      long together = setting.budget().limit() / SHARE_TOGETHER / options.readers();
      return () ->
          new Fetcher.Reading(
              setting.dataset().openReader(),
              reads.begun().order(),
              reads.fidelities(),
              reads.counts().misses(),
              new Gather(setting.budget(), together));
    }
  }

  /// Samples, encoded or decoded: those used last, or a fixed subset.
  private static final class Samples extends CachePolicy {
    private final EpochOrders orders;
    private final CacheFit fit;
    private final double warmHitRate;
    private final @Nullable Samples lender;
    private final AtomicInteger borrowers = new AtomicInteger();
    private ByteCache cache;

    /// Encoded samples beside decoded ones, if memory is divided.
    private @Nullable ByteCache encoded;

    /// @param lender whose cache this uses, or null
    Samples(LoadSetting setting, @Nullable Samples lender) {
      super(
          setting,
          lender == null ? new SamplePacking(!setting.fields().isEmpty()) : lender.packing);
      this.lender = lender;
      orders = new EpochOrders.Permuted(setting);
      fit = lender == null ? CacheFit.of(setting) : lender.fit;
      double share = fit.samples() / setting.dataset().size();
      warmHitRate =
          !options.choice().all()
              ? Double.NaN
              : options.cache() instanceof CacheSpec.Lru
                  ? lruHitRate(options, share)
                  : Double.isNaN(share) ? share : HitRates.fixed((double) chosen() / size());
      if (lender == null) {
        cache = openCache();
        encoded = openEncoded();
      } else {
        int _ = lender.borrowers.incrementAndGet();
        cache = lender.cache;
        encoded = lender.encoded;
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

    private int size() {
      return (int) setting.dataset().size();
    }

    private long chosen() {
      return Double.isNaN(fit.samples()) ? size() : (long) Math.min(size(), fit.samples());
    }

    private ByteCache openCache() {
      CacheSpec spec = options.cache();
      if (spec instanceof CacheSpec.Lru) {
        return new LruCache(spec.bytes(), size());
      }
      long bytes = spec.decoded() ? CacheFit.decodedBytes(spec) : spec.bytes();
      return new MinIoCache(bytes, size(), divided() ? decoded() : chosen(), options.seed());
    }

    private @Nullable ByteCache openEncoded() {
      CacheSpec spec = options.cache();
      return divided()
          ? new MinIoCache(
              spec.bytes() - CacheFit.decodedBytes(spec),
              size(),
              decoded(),
              chosen(),
              options.seed())
          : null;
    }

    private boolean divided() {
      return options.cache().decoded() && options.cache().decodedShare() < 1;
    }

    private long decoded() {
      return Double.isNaN(fit.decoded()) ? size() : (long) Math.min(size(), fit.decoded());
    }

    @Override
    EpochOrders orders() {
      return orders;
    }

    @Override
    ByteCache cache() {
      return cache;
    }

    @Override
    double warmHitRate() {
      return warmHitRate;
    }

    @Override
    boolean estimated() {
      return fit.estimated();
    }

    @Override
    void forget() {
      if (lender != null || borrowers.get() > 0) {
        throw new ConfigException(
            "another fidelity for a cache of decoded samples that several consumers share: keep"
                + " encoded ones, which serve all");
      }
      cache.close();
      closeEncoded();
      cache = openCache();
      encoded = openEncoded();
    }

    private void closeEncoded() {
      ByteCache more = encoded;
      if (more != null) {
        more.close();
      }
    }

    @Override
    long usedBytes() {
      ByteCache more = encoded;
      return cache.usedBytes() + (more == null ? 0 : more.usedBytes());
    }

    @Override
    public void close() {
      if (lender == null) {
        super.close();
        closeEncoded();
      } else {
        int _ = lender.borrowers.decrementAndGet();
      }
    }

    @Override
    FetcherSource fetchers(EpochReads reads) {
      ByteCache held = cache;
      if (options.cache().decoded()) {
        ByteCache more = encoded;
        return () ->
            new Fetcher.Decoded(
                setting.dataset().openReader(), reads, held, more, packing, setting.budget());
      }
      return () ->
          new Fetcher.Caching(
              setting.dataset().openReader(), reads, held, packing, setting.budget());
    }
  }

  /// The shuffle buffer of this epoch and that of the next.
  private static final class Regions extends CachePolicy {
    /// Share of the cache that the plan fills; the rest is for samples that are larger than most.
    private static final double PLANNED = 0.97;

    private final EpochOrders.Regions orders;
    private final double warmHitRate;
    private final RegionCache cache;

    Regions(LoadSetting setting) {
      super(setting);
      orders = new EpochOrders.Regions(setting);
      double fits = CacheFit.of(setting).samples();
      int part = orders.part();
      int capacity =
          Math.clamp((long) (fits * PLANNED) - 2L * options.readers(), orders.kinds(), part);
      warmHitRate = HitRates.fixed((double) orders.hold(fits >= part ? part : capacity) / part);
      cache = new RegionCache(options.cache().bytes(), part);
    }

    @Override
    EpochOrders orders() {
      return orders;
    }

    @Override
    ByteCache cache() {
      return cache;
    }

    @Override
    double warmHitRate() {
      return warmHitRate;
    }

    @Override
    double stays() {
      return warmHitRate;
    }

    @Override
    boolean estimated() {
      return false;
    }

    @Override
    FetcherSource fetchers(EpochReads reads) {
      RegionEpoch epoch = reads.begun().regions();
      if (epoch == null) {
        throw new IllegalArgumentException("an order without regions");
      }
      var shared = new RegionFetcher.Shared(epoch, cache, orders.start(), reads.begun().skipped());
      return () ->
          new RegionFetcher(
              setting.dataset().openReader(), reads, shared, packing, setting.budget());
    }

    @Override
    void stop() {
      cache.stop();
    }
  }
}
