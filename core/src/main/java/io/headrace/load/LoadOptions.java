package io.headrace.load;

import io.headrace.error.ConfigException;
import io.headrace.load.cache.CacheSpec;
import io.headrace.order.EpochOrder;
import io.headrace.order.OrderSpec;
import io.headrace.pipeline.SampleProcessor;

/// How a [Loader] runs. Made with [#builder]; every value has a default.
///
/// @param batchSize samples in a batch; the last one of an epoch may be shorter
/// @param threads decode workers
/// @param readers threads that read encoded bytes ahead of the decoders
/// @param prefetch batches in memory at one time, those the consumer holds included; at least 2
/// @param window samples among which a stream that cannot be indexed is shuffled
/// @param order how epochs are ordered
/// @param cache what is kept in memory between epochs, within `memory`
/// @param seed of orders and of random steps
/// @param rank this consumer's number, from 0
/// @param world number of consumers that share the epoch
/// @param policy what becomes of a sample that cannot be delivered
/// @param memory bound on off-heap bytes
/// @param dctScaling whether JPEGs may be decoded at 1/2, 1/4 or 1/8 size where the crop allows;
///     faster, other pixels
/// @param regions whether of JPEGs with restart markers only those segments are decoded that the
///     sample shows; faster, the same pixels
/// @param applyOrientation whether images are brought the right way up, as their EXIF tag says; off
///     by default, as in torchvision
/// @param digest whether pixels are hashed for [EpochReport#digest]
public record LoadOptions(
    int batchSize,
    int threads,
    int readers,
    int prefetch,
    int window,
    OrderSpec order,
    CacheSpec cache,
    long seed,
    int rank,
    int world,
    ErrorPolicy policy,
    long memory,
    boolean dctScaling,
    boolean regions,
    boolean applyOrientation,
    boolean digest) {
  /// Checks ranges.
  public LoadOptions {
    require(batchSize >= 1, "batch size", batchSize, "at least 1");
    require(threads >= 1 && threads <= 4096, "threads", threads, "1 to 4096");
    require(readers >= 1 && readers <= 4096, "readers", readers, "1 to 4096");
    require(prefetch >= 2, "prefetched batches", prefetch, "at least 2");
    require(window >= 1, "shuffle window", window, "at least 1");
    require(memory > 0, "memory", memory, "more than 0 bytes");
    EpochOrder.checkRank(rank, world);
    if (order instanceof OrderSpec.TwoRegion != cache instanceof CacheSpec.TwoRegion) {
      throw new ConfigException(
          "order %s with cache %s: the two-region order needs the two-region cache, and the other"
                  .formatted(order, cache.name())
              + " way round");
    }
  }

  /// {@return whether samples come in another order than they are stored}
  public boolean shuffle() {
    return !(order instanceof OrderSpec.Sequential);
  }

  private static void require(boolean holds, String what, long found, String expected) {
    if (!holds) {
      throw new ConfigException("%s %d: expected %s".formatted(what, found, expected));
    }
  }

  /// {@return how each sample is processed}
  public SampleProcessor.Options processing() {
    return new SampleProcessor.Options(dctScaling, regions, applyOrientation);
  }

  /// {@return the defaults, to be changed}
  public static Builder builder() {
    return new Builder();
  }

  /// Collects options by name.
  public static final class Builder {
    private int batchSize = 64;
    private int threads = Runtime.getRuntime().availableProcessors();
    private int readers = 2;
    private int prefetch = 4;
    private int window = 1024;
    private OrderSpec order = OrderSpec.FULL;
    private CacheSpec cache = CacheSpec.NONE;
    private long seed;
    private int rank;
    private int world = 1;
    private ErrorPolicy policy = ErrorPolicy.FAIL;
    private long memory = 2L << 30;
    private boolean dctScaling;
    private boolean regions = true;
    private boolean applyOrientation;
    private boolean digest = true;

    private Builder() {}

    /// Sets samples in a batch.
    public Builder batchSize(int value) {
      batchSize = value;
      return this;
    }

    /// Sets decode workers.
    public Builder threads(int value) {
      threads = value;
      return this;
    }

    /// Sets threads that read ahead.
    public Builder readers(int value) {
      readers = value;
      return this;
    }

    /// Sets batches in memory.
    public Builder prefetch(int value) {
      prefetch = value;
      return this;
    }

    /// Sets the shuffle window of streams, in samples.
    public Builder window(int value) {
      window = value;
      return this;
    }

    /// Sets whether epochs are fully shuffled or in stored order.
    public Builder shuffle(boolean value) {
      return order(value ? OrderSpec.FULL : OrderSpec.SEQUENTIAL);
    }

    /// Sets how epochs are ordered.
    public Builder order(OrderSpec value) {
      order = value;
      return this;
    }

    /// Sets what is kept in memory between epochs.
    public Builder cache(CacheSpec value) {
      cache = value;
      return this;
    }

    /// Sets the seed.
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /// Sets which part of the epoch this consumer gets.
    public Builder rank(int rank, int world) {
      this.rank = rank;
      this.world = world;
      return this;
    }

    /// Sets what becomes of bad samples.
    public Builder policy(ErrorPolicy value) {
      policy = value;
      return this;
    }

    /// Sets the bound on off-heap bytes.
    public Builder memory(long value) {
      memory = value;
      return this;
    }

    /// Sets whether JPEGs may be decoded scaled.
    public Builder dctScaling(boolean value) {
      dctScaling = value;
      return this;
    }

    /// Sets whether JPEGs with restart markers may be decoded in part.
    public Builder regions(boolean value) {
      regions = value;
      return this;
    }

    /// Sets whether images are brought the right way up.
    public Builder applyOrientation(boolean value) {
      applyOrientation = value;
      return this;
    }

    /// Sets whether pixels are hashed.
    public Builder digest(boolean value) {
      digest = value;
      return this;
    }

    /// {@return the options}
    ///
    /// @throws ConfigException if a value is out of range
    public LoadOptions build() {
      return new LoadOptions(
          batchSize,
          threads,
          readers,
          prefetch,
          window,
          order,
          cache,
          seed,
          rank,
          world,
          policy,
          memory,
          dctScaling,
          regions,
          applyOrientation,
          digest);
    }
  }
}
