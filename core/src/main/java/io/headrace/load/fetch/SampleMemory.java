package io.headrace.load.fetch;

import io.headrace.error.ConfigException;
import io.headrace.load.cache.ByteCache;
import io.headrace.load.cache.CacheSpec;
import io.headrace.load.cache.SamplePacking;
import io.headrace.load.deliver.BatchRing;
import io.headrace.load.deliver.Section;
import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.EpochOrders;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.order.EpochPlan;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.order.Stride;
import org.jspecify.annotations.Nullable;

/// What a loader remembers from epoch to epoch: samples in a cache, where its order stands, and the
/// fidelity of the last one. The cache's bytes are taken from the loader's budget as a whole.
public final class SampleMemory implements AutoCloseable {
  private final LoadSetting setting;
  private final LoadOptions options;
  private final CachePolicy policy;
  private final HitForecast forecast;
  private FidelityMix fidelity;

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
    if (!options.choice().all()) {
      throw new ConfigException(
          "a subset or weights of a dataset that can only be streamed: convert it without"
              + " compression of whole shards");
    }
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

  /// {@return samples of an epoch in all ranks together; -1 if only reading tells}
  public long epochSize() {
    return policy.orders().size();
  }

  /// {@return the plan of the rest of an epoch}
  public EpochPlan plan(long done) {
    return policy.orders().plan(done);
  }

  /// Begins an epoch. Decoded samples of another fidelity are dropped; no epoch may run meanwhile.
  ///
  /// @param done samples that all ranks have had of it
  /// @param stride batches of what is left of it to load
  /// @param ring whose stream of positions it is appended to
  /// @throws ConfigException if the epoch is known to have fewer samples
  public Pass begin(long number, long done, Stride stride, FidelityMix mix, BatchRing ring) {
    var counts = new FidelityCounts(mix, setting, number);
    if (!setting.dataset().indexed()) {
      if (!stride.equals(Stride.ALL)) {
        throw new ConfigException(
            "some batches of a dataset that can only be read from its start: expected one whose"
                + " samples can be read one by one");
      }
      return new Pass(number, ring.append(-1, -1), counts, null, 1);
    }
    if (options.cache().decoded() && !mix.equals(fidelity)) {
      policy.forget();
      forecast.forget();
    }
    double predicted = forecast.of(mix, fidelity);
    fidelity = mix;
    forecast.begun(mix);
    EpochOrders.Begun begun = policy.orders().begin(number, done).only(stride);
    var reads = new CachePolicy.EpochReads(begun, counts, new CacheCounts());
    var planned = new Pass.Planned(reads, predicted, policy.fetchers(reads));
    long count = Math.min(begun.order().count(), options.most());
    Section section = ring.append(count, Math.min(count, begun.order().own()));
    return new Pass(number, section, counts, planned, options.readers());
  }

  /// {@return whether an epoch may begin before the last one has ended: their state is either
  ///     shared safely or the epoch's own}
  public boolean allowsAhead() {
    CacheSpec spec = options.cache();
    return setting.dataset().indexed() && !(spec instanceof CacheSpec.TwoRegion) && !spec.decoded();
  }

  /// {@return the cache, or null if there is none}
  public @Nullable ByteCache cache() {
    return policy.cache();
  }

  /// {@return what packs samples for the cache}
  public SamplePacking packing() {
    return policy.packing;
  }

  /// Wakes readers that wait for each other.
  void stop() {
    policy.stop();
  }

  /// {@return what the cache does in an epoch}
  public CacheReading reading(Pass pass) {
    CacheCounts counts = pass.cached();
    double predicted = pass.predicted();
    return new CacheReading(
        options.cache().name(),
        counts.hits().sum(),
        counts.misses().sum(),
        counts.extended().sum(),
        predicted,
        policy.estimated() && predicted > 0,
        policy.usedBytes(),
        options.cache().bytes());
  }

  @Override
  public void close() {
    policy.close();
  }
}
