package io.headrace.load;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.memory.BatchBuffer;
import io.headrace.memory.MemoryBudget;
import io.headrace.memory.TensorSpec;
import io.headrace.order.EpochOrder;
import io.headrace.pipeline.Pipeline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Delivers a dataset in epochs of off-heap batches.
///
/// Readers fetch encoded samples ahead, a fixed pool of workers decodes each straight into its
/// slot of a batch, and a bounded ring of batches holds the workers back when the consumer is
/// slow. Order and pixels depend on the seed and the epoch's number alone, never on threads.
/// One epoch runs at a time.
public final class Loader implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  private final Dataset dataset;
  private final Pipeline pipeline;
  private final LoadOptions options;
  private final TensorSpec sample;
  private final MemoryBudget budget;
  private final Arena arena = Arena.ofShared();
  private final BatchBuffer[] ring;
  private final SampleMemory memory;
  private @Nullable Epoch current;
  private boolean closed;

  /// Prepares to load: takes the memory for batches and reserves the cache's, reads nothing. The
  /// dataset stays the caller's, to be closed after the loader.
  ///
  /// @throws ConfigException if the pipeline's output has no fixed size, the cache does not fit
  ///     into the memory allowed or needs a dataset that can be read in any order, or not even two
  ///     batches fit into three quarters of what the cache leaves
  /// @throws java.io.UncheckedIOException if there is a cache and the dataset's size cannot be had
  public Loader(Dataset dataset, Pipeline pipeline, LoadOptions options) {
    this.dataset = dataset;
    this.pipeline = pipeline;
    this.options = options;
    sample = pipeline.outputSpec();
    budget = new MemoryBudget(options.memory());
    long batchBytes = Math.multiplyExact(sample.bytes(), options.batchSize());
    long forBatches =
        (options.memory() - Math.min(options.memory(), options.cache().bytes())) / 4 * 3;
    memory = openMemory();
    int batches = (int) Math.min(options.prefetch(), forBatches / batchBytes);
    if (batches < 2 || !budget.tryReserve(batches * batchBytes)) {
      memory.close();
      arena.close();
      throw new ConfigException(
          "two batches of %d samples %s take %d bytes, and memory for batches is %d: "
                  .formatted(options.batchSize(), sample, 2 * batchBytes, forBatches)
              + "allow more memory or ask for smaller batches");
    }
    ring = new BatchBuffer[batches];
    for (int i = 0; i < batches; i++) {
      MemorySegment data = arena.allocate(batchBytes, ALIGNMENT);
      ring[i] = new BatchBuffer(sample, data, options.batchSize());
    }
  }

  private SampleMemory openMemory() {
    try {
      return new SampleMemory(dataset, options, budget);
    } catch (RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /// {@return type and shape of one sample as delivered}
  public TensorSpec sample() {
    return sample;
  }

  /// {@return batches in memory at one time}
  public int batchesInMemory() {
    return ring.length;
  }

  /// {@return off-heap bytes in use now; for any thread}
  public long memory() {
    return budget.reserved();
  }

  /// {@return the most off-heap bytes in use at one time so far}
  public long peakMemory() {
    return budget.peak();
  }

  /// Starts an epoch.
  ///
  /// @param number its number, from 0: with the seed it decides order and pixels
  /// @throws IllegalStateException if the epoch before is not closed
  public Epoch epoch(long number) {
    return epoch(number, 0);
  }

  /// Takes up an epoch. Under the two-region order the ranks and their number must be those that
  /// began it; under any other they may have changed: what is left is dealt out anew.
  ///
  /// @param number its number, from 0
  /// @param done samples that all ranks together have had of it
  /// @throws ConfigException if the epoch is known to have fewer
  /// @throws IllegalStateException if the epoch before is not closed
  public Epoch epoch(long number, long done) {
    if (closed || current != null) {
      throw new IllegalStateException(
          closed ? "loader is closed" : "close the epoch before starting another");
    }
    if (dataset.size() >= 0) {
      EpochOrder.checkDone(done, dataset.size());
    }
    var epoch =
        new Epoch(
            number, done, dataset, pipeline, options, ring, budget, memory, () -> current = null);
    current = epoch;
    return epoch;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Epoch open = current;
      if (open != null) {
        open.close();
      }
      memory.close();
      arena.close();
    }
  }
}
