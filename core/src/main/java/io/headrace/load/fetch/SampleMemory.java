package io.headrace.load.fetch;

import io.headrace.error.ConfigException;
import io.headrace.load.cache.ByteCache;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.cache.SamplePacking;
import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.EpochOrders;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.order.EpochOrder;
import io.headrace.order.EpochPlan;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a loader remembers from epoch to epoch: samples in a cache, where its order stands, and the
/// fidelity of the last one. The cache's bytes are taken from the loader's budget as a whole.
public final class SampleMemory implements AutoCloseable {
  private final LoadSetting setting;
  private final LoadOptions options;
  private final CachePolicy policy;
  private final HitForecast forecast;
  private FidelityMix fidelity;
  private @Nullable EpochOrder order;

  /// @throws ConfigException if the dataset can only be streamed and a cache or an order is asked
  ///     for that needs more, if the cache does not fit into the budget, or if decoded samples are
  ///     to be kept and would change pixels
  /// @throws java.io.UncheckedIOException if the dataset's size cannot be read
  ///
  /// @param other whose cache is used too, in place of one of its own; it is closed after this one
  public SampleMemory(LoadSetting setting, @Nullable SampleMemory other) {
    this.setting = setting;
    options = setting.options();
    fidelity = options.fidelity().at(0);
    options.fidelity().stages().forEach(stage -> checkFidelity(stage.fidelity()));
    if (!setting.dataset().indexed()) {
      checkStreams(options);
    }
    policy = CachePolicy.of(setting, other == null ? null : other.policy);
    forecast = new HitForecast(policy, setting);
  }

  /// Checks that a fidelity can be read with the cache there is.
  ///
  /// @throws ConfigException if it cannot
  public void checkFidelity(FidelityMix mix) {
    if (!mix.constant() && options.cache().decoded()) {
      throw new ConfigException(
          "fidelity %s with cache %s: decoded samples are of one fidelity; keep encoded ones, which"
                  .formatted(mix, options.cache().name())
              + " serve all");
    }
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

  /// {@return all that decides the order beside seed, epoch and the dataset, in words}
  public String orderText() {
    return policy.orders().text();
  }

  /// {@return the plan of the rest of an epoch}
  public EpochPlan plan(long done) {
    return policy.orders().plan(done);
  }

  /// An epoch's order, and what its readers count.
  ///
  /// @param begun its order
  /// @param counts what the cache does in it
  /// @param predicted share of hits, NaN if no formula is known
  public record Plan(EpochOrders.Begun begun, CacheCounts counts, double predicted) {
    /// {@return the samples of this rank}
    public EpochOrder order() {
      return begun.order();
    }
  }

  /// Begins an epoch. Decoded samples of another fidelity are dropped; no epoch may run meanwhile.
  ///
  /// @param done samples that all ranks have had of it
  public Plan begin(long number, long done, FidelityMix mix) {
    if (options.cache().decoded() && !mix.equals(fidelity)) {
      policy.forget();
      forecast.forget();
    }
    double predicted = forecast.of(mix, fidelity);
    fidelity = mix;
    forecast.begun(mix);
    var plan = new Plan(policy.orders().begin(number, done), new CacheCounts(), predicted);
    order = plan.order();
    return plan;
  }

  /// {@return whether an epoch may begin before the last one has ended: their state is either
  ///     shared safely or the epoch's own}
  public boolean allowsAhead() {
    CacheSpec spec = options.cache();
    return setting.dataset().indexed() && !(spec instanceof CacheSpec.TwoRegion) && !spec.decoded();
  }

  /// {@return a fetcher for each of an epoch's readers}
  CachePolicy.FetcherSource fetchers(Plan plan, FidelityCounts fidelities) {
    return policy.fetchers(new CachePolicy.EpochReads(plan.begun(), fidelities, plan.counts()));
  }

  /// {@return the cache, or null if there is none}
  public @Nullable ByteCache cache() {
    return policy.cache();
  }

  /// {@return what packs samples for the cache}
  public SamplePacking packing() {
    return policy.packing;
  }

  /// {@return the number in the cache of the sample at a position of the epoch under way}
  public long numberAt(long position) {
    return Objects.requireNonNull(order, "no epoch has begun").sampleAt(position);
  }

  /// Wakes readers that wait for each other.
  void stop() {
    policy.stop();
  }

  /// {@return what the cache does in an epoch, or null's if it is not counted}
  public CacheReading reading(@Nullable Plan plan) {
    ByteCache cache = policy.cache();
    CacheCounts counts = plan == null ? new CacheCounts() : plan.counts();
    double predicted = plan == null ? 0 : plan.predicted();
    return new CacheReading(
        options.cache().name(),
        counts.hits().sum(),
        counts.misses().sum(),
        counts.extended().sum(),
        predicted,
        policy.estimated() && predicted > 0,
        cache == null ? 0 : cache.usedBytes(),
        options.cache().bytes());
  }

  @Override
  public void close() {
    policy.close();
  }
}
