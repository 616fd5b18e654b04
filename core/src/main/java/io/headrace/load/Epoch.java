package io.headrace.load;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.SetDigest;
import io.headrace.memory.Batch;
import io.headrace.memory.BatchBuffer;
import io.headrace.memory.MemoryBudget;
import io.headrace.meter.BatchEvent;
import io.headrace.meter.Meters;
import io.headrace.meter.Stage;
import io.headrace.meter.StageEvent;
import io.headrace.order.EpochOrder;
import io.headrace.order.OrderSpec;
import io.headrace.order.StreamOrder;
import io.headrace.pipeline.Pipeline;
import io.headrace.random.CounterRandom;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One pass over the dataset. For one consumer thread; closing it ends its threads at once.
public final class Epoch implements AutoCloseable {
  /// Skipped samples listed in a report; the others are only counted.
  public static final int FAULTS_KEPT = 10_000;

  private final long number;
  private final long done;
  private final SampleMemory memory;
  private final Dataset dataset;
  private final LoadOptions options;
  private final Runnable onClose;
  private final Arena arena = Arena.ofShared();
  private final Meters meters;
  private final Assembly assembly;
  private final Supply supply;
  private final @Nullable EpochOrder order;
  private final List<Thread> workers = new ArrayList<>();
  private final SetDigest set = new SetDigest();
  private final List<SkippedSample> faults = new ArrayList<>();
  private final long start = System.nanoTime();
  private long last = start;
  private long digest;
  private long nextBatch;
  private long deliveredBatches;
  private long delivered;
  private long skipped;
  private long substituted;
  private boolean complete;
  private boolean closed;
  private @Nullable CorruptDataException failure;

  Epoch(
      long number,
      long done,
      Dataset dataset,
      Pipeline pipeline,
      LoadOptions options,
      BatchBuffer[] ring,
      MemoryBudget budget,
      SampleMemory memory,
      Runnable onClose) {
    this.number = number;
    this.done = done;
    this.memory = memory;
    this.dataset = dataset;
    this.options = options;
    this.onClose = onClose;
    int queued = Math.max(8, 4 * options.threads());
    meters = new Meters(queued);
    if (dataset.indexed()) {
      SampleMemory.Plan plan = memory.begin(number, done);
      order = plan.order();
      assembly = new Assembly(ring, plan.order().count());
      supply = new IndexedSupply(memory, plan, options, assembly, arena, budget, meters, queued);
    } else {
      order = null;
      var streams =
          new StreamOrder(
              dataset.shards().size(),
              !(options.order() instanceof OrderSpec.Buffer) && options.shuffle(),
              options.shuffle(),
              options.seed(),
              number);
      assembly = new Assembly(ring, -1);
      supply =
          new StreamSupply(
              dataset, streams, options, assembly, arena, budget, meters, queued, done);
    }
    for (int i = 0; i < options.threads(); i++) {
      var worker = new DecodeWorker(supply, assembly, pipeline, options, budget, meters, number);
      workers.add(Thread.ofPlatform().name("decode-" + i).daemon().start(worker));
    }
    supply.start();
  }

  /// Waits for the next batch.
  ///
  /// @return it, to be closed by the caller, or null at the end of the epoch
  /// @throws CorruptDataException under [ErrorPolicy#FAIL], at the first bad sample in order,
  ///     once all batches before it are delivered; the same again on further calls
  /// @throws IOException if the dataset cannot be opened by a reader
  /// @throws IllegalStateException if the epoch is closed, or the caller holds all batches itself
  public @Nullable Batch next() throws IOException {
    if (failure != null) {
      throw failure;
    }
    var event = new BatchEvent();
    event.begin();
    long begin = System.nanoTime();
    while (true) {
      Assembly.Part part = assembly.await(nextBatch);
      if (part == null) {
        if (!complete) {
          complete = true;
          StageEvent.writeAll(number, meters);
        }
        return null;
      }
      nextBatch++;
      int size = settle(part);
      if (size == 0) {
        assembly.release(part);
        continue;
      }
      last = System.nanoTime();
      meters.add(Stage.STALL, last - begin, 1, 0);
      var batch =
          new Batch(part.buffer, size, number, deliveredBatches++, () -> assembly.release(part));
      event.end();
      if (event.shouldCommit()) {
        event.epoch = number;
        event.index = batch.index();
        event.samples = size;
        event.bytes = size * part.buffer.sample().bytes();
        event.commit();
      }
      return batch;
    }
  }

  /// Applies the error policy to a filled batch and notes what is delivered.
  ///
  /// @return slots to hand out
  private int settle(Assembly.Part part) throws CorruptDataException {
    int expected = part.expected();
    BatchBuffer buffer = part.buffer;
    int size = 0;
    for (int slot = 0; slot < expected; slot++) {
      CorruptDataException fault = part.faults[slot];
      if (fault != null) {
        if (options.policy() == ErrorPolicy.FAIL) {
          failure = fault;
          assembly.release(part);
          throw fault;
        }
        note(fault, buffer.id(slot));
        if (options.policy() == ErrorPolicy.SKIP) {
          continue;
        }
        int other = substituteFor(slot, part);
        if (other < 0) {
          continue; // not one good sample in the batch
        }
        buffer.copy(other, slot);
        substituted++;
      } else {
        delivered++;
        set.add(buffer.id(slot));
      }
      if (size != slot) {
        buffer.copy(slot, size);
      }
      digest = CounterRandom.mix(digest ^ buffer.id(slot));
      digest = CounterRandom.mix(digest + buffer.hash(slot));
      size++;
    }
    return size;
  }

  private static int substituteFor(int slot, Assembly.Part part) {
    for (int before = slot - 1; before >= 0; before--) {
      if (part.faults[before] == null) {
        return before;
      }
    }
    for (int behind = slot + 1; behind < part.expected(); behind++) {
      if (part.faults[behind] == null) {
        return behind;
      }
    }
    return -1;
  }

  private void note(CorruptDataException fault, long id) {
    skipped++;
    set.add(id);
    if (faults.size() < FAULTS_KEPT) {
      faults.add(new SkippedSample(fault.where(), fault.fault(), fault.reason()));
    }
  }

  /// {@return which sample comes at each position, or null where only reading tells; under the
  /// two-region order samples are numbered from the first of the rank's part}
  public @Nullable EpochOrder order() {
    return order;
  }

  /// {@return what its stages count, for any thread to look at while it runs}
  public Meters meters() {
    return meters;
  }

  /// {@return whether every sample of the dataset came exactly once: the epoch is complete and the
  /// digest of what was delivered and skipped equals the dataset's own}
  public boolean verified() {
    return complete && done == 0 && options.world() == 1 && set.hex().equals(dataset.setDigest());
  }

  /// {@return what the epoch did so far}
  public EpochReport report() {
    double seconds = (last - start) / 1e9;
    return new EpochReport(
        number,
        delivered,
        skipped,
        substituted,
        faults,
        seconds,
        supply.bytesRead(),
        memory.reading(),
        meters.readAll(),
        meters.queueOccupancy(),
        Bottleneck.of(
            seconds,
            meters.read(Stage.STALL).seconds(),
            meters.read(Stage.STARVE).seconds(),
            meters.read(Stage.DECODE).seconds(),
            meters.read(Stage.TRANSFORM).seconds(),
            options.threads()),
        "%016x".formatted(digest),
        set.hex(),
        verified());
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    assembly.close();
    supply.stop();
    for (Thread worker : workers) {
      Threads.join(worker);
    }
    supply.dispose();
    arena.close();
    onClose.run();
  }
}
