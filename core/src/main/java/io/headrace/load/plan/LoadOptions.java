package io.headrace.load.plan;

import io.headrace.error.ConfigException;
import io.headrace.format.field.FieldRequest;
import io.headrace.load.cache.CacheSpec;
import io.headrace.order.Deal;
import io.headrace.order.EpochOrder;
import io.headrace.order.LastBatch;
import io.headrace.order.Mix;
import io.headrace.order.OrderSpec;
import io.headrace.order.RanksTail;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.SampleProcessor;
import java.util.List;

/// How a loader runs. Made with [#builder]; every value has a default.
///
/// @param batchSize samples in a batch
/// @param threads decode workers
/// @param readers threads that read encoded bytes ahead of the decoders
/// @param prefetch batches in memory at one time, those the consumer holds included; at least 2
/// @param window samples among which a stream that cannot be indexed is shuffled
/// @param order how epochs are ordered
/// @param mix whether batches hold the encodings of a mixed dataset in constant numbers
/// @param cache what is kept in memory between epochs, within `memory`
/// @param seed of orders and of random steps
/// @param rank this consumer's number, from 0
/// @param world number of consumers that share the epoch
/// @param ranksTail what becomes of samples that the ranks cannot share equally; the default gives
///     all ranks the same number of batches
/// @param lastBatch what becomes of an epoch's last batch if it is not full
/// @param policy what becomes of a sample that cannot be delivered
/// @param maxBad how many such samples an epoch may have
/// @param fidelity how much of each sample is read, epoch by epoch
/// @param memory bound on off-heap bytes
/// @param decoding whether pixels are those of Pillow, or look the same and are made much faster
///     (the default)
/// @param applyOrientation whether images are turned upright, as their EXIF tag says;
///     off by default, as in torchvision
/// @param digest whether pixels are hashed for the digest in an epoch's report
/// @param synthetic whether only the first batch of an epoch is loaded, and handed out again for
///     all others: how fast the consumer would be if loading took no time
/// @param fields that batches are to hold beside image, label and id
/// @param choice which samples an epoch has, and how often each
public record LoadOptions(
    int batchSize,
    int threads,
    int readers,
    int prefetch,
    int window,
    OrderSpec order,
    Mix mix,
    CacheSpec cache,
    long seed,
    int rank,
    int world,
    RanksTail ranksTail,
    LastBatch lastBatch,
    ErrorPolicy policy,
    BadLimit maxBad,
    FidelitySchedule fidelity,
    long memory,
    Decoding decoding,
    boolean applyOrientation,
    boolean digest,
    boolean synthetic,
    List<FieldRequest> fields,
    Choice choice) {
  /// Checks ranges.
  public LoadOptions {
    fields = List.copyOf(fields);
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
    if (mix == Mix.CONSTANT
        && !(order instanceof OrderSpec.Full || order instanceof OrderSpec.TwoRegion)) {
      throw new ConfigException(
          "a constant mix in order %s: expected order full or two-region".formatted(order));
    }
  }

  /// {@return how an epoch is dealt out}
  public Deal deal() {
    return new Deal(rank, world, batchSize, ranksTail, lastBatch);
  }

  /// {@return samples of an epoch to load at most}
  public long most() {
    return synthetic ? batchSize : Long.MAX_VALUE;
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

  /// {@return the same for another order, with random steps of its own, and another rank}
  public LoadOptions as(long otherSeed, int otherRank, int otherWorld) {
    return new LoadOptions(
        batchSize,
        threads,
        readers,
        prefetch,
        window,
        order,
        mix,
        cache,
        otherSeed,
        otherRank,
        otherWorld,
        ranksTail,
        lastBatch,
        policy,
        maxBad,
        fidelity,
        memory,
        decoding,
        applyOrientation,
        digest,
        synthetic,
        fields,
        choice);
  }

  /// {@return how each sample is processed}
  public SampleProcessor.Options processing() {
    return decoding.options(applyOrientation);
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
    private Mix mix = Mix.FREE;
    private CacheSpec cache = new CacheSpec.None();
    private long seed;
    private int rank;
    private int world = 1;
    private RanksTail ranksTail = RanksTail.PAD;
    private LastBatch lastBatch = LastBatch.PARTIAL;
    private ErrorPolicy policy = ErrorPolicy.FAIL;
    private BadLimit maxBad = BadLimit.NONE;
    private FidelitySchedule fidelity = FidelitySchedule.of(FidelityMix.FULL);
    private long memory = 2L << 30;
    private Decoding decoding = Decoding.FAST;
    private boolean applyOrientation;
    private boolean digest = true;
    private boolean synthetic;
    private List<FieldRequest> fields = List.of();
    private Choice choice = Choice.ALL;

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

    /// Sets whether batches hold encodings in constant numbers.
    public Builder mix(Mix value) {
      mix = value;
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

    /// Sets what becomes of samples that the ranks cannot share equally.
    public Builder ranksTail(RanksTail value) {
      ranksTail = value;
      return this;
    }

    /// Sets what becomes of a last batch that is not full.
    public Builder lastBatch(LastBatch value) {
      lastBatch = value;
      return this;
    }

    /// Sets what becomes of bad samples.
    public Builder policy(ErrorPolicy value) {
      policy = value;
      return this;
    }

    /// Sets how many bad samples an epoch may have.
    public Builder maxBad(BadLimit value) {
      maxBad = value;
      return this;
    }

    /// Sets how much of each sample is read, in every epoch.
    public Builder fidelity(FidelityMix value) {
      return regimen(FidelitySchedule.of(value));
    }

    /// Sets how much of each sample is read, epoch by epoch.
    public Builder regimen(FidelitySchedule value) {
      fidelity = value;
      return this;
    }

    /// Sets the bound on off-heap bytes.
    public Builder memory(long value) {
      memory = value;
      return this;
    }

    /// Sets how samples are decoded and resized: fast or exact.
    public Builder decoding(Decoding value) {
      decoding = value;
      return this;
    }

    /// Sets whether images are turned upright.
    public Builder applyOrientation(boolean value) {
      applyOrientation = value;
      return this;
    }

    /// Sets whether pixels are hashed.
    public Builder digest(boolean value) {
      digest = value;
      return this;
    }

    /// Sets whether one batch is handed out again and again.
    public Builder synthetic(boolean value) {
      synthetic = value;
      return this;
    }

    /// Sets fields to deliver.
    public Builder fields(List<FieldRequest> value) {
      fields = value;
      return this;
    }

    /// Sets which samples an epoch has, and how often each.
    public Builder choice(Choice value) {
      choice = value;
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
          mix,
          cache,
          seed,
          rank,
          world,
          ranksTail,
          lastBatch,
          policy,
          maxBad,
          fidelity,
          memory,
          decoding,
          applyOrientation,
          digest,
          synthetic,
          fields,
          choice);
    }
  }
}
