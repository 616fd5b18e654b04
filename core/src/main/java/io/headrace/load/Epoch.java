package io.headrace.load;

import io.headrace.error.CorruptDataException;
import io.headrace.load.deliver.BatchMixer;
import io.headrace.load.deliver.BatchRing;
import io.headrace.load.deliver.Ledger;
import io.headrace.load.deliver.Section;
import io.headrace.load.fetch.Pass;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.memory.Batch;
import io.headrace.meter.BatchEvent;
import io.headrace.meter.Meters;
import io.headrace.meter.Stage;
import io.headrace.meter.StageEvent;
import io.headrace.order.EpochOrder;
import io.headrace.order.EpochPlan;
import io.headrace.order.Stride;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One pass over the dataset, for one consumer thread. Closing it ends the work on it at once.
public final class Epoch implements AutoCloseable {
  /// Skipped samples listed in a report; the others are only counted.
  public static final int FAULTS_KEPT = Ledger.FAULTS_KEPT;

  private final Loader loader;
  private final Pass pass;
  private final FidelityMix mix;
  private final long number;
  private final long done;
  private final Stride stride;

  /// Number of the first batch: after a resume, as if earlier batches had been as large as now.
  private final long firstBatch;

  private final LoadSetting setting;
  private final LoadOptions options;
  private final BatchRing ring;
  private final EpochPlan plan;
  private final Ledger ledger;
  private long start;
  private long last;
  private long nextBatch;
  private long taken;
  private long deliveredBatches;
  private boolean complete;
  private boolean closed;
  private @Nullable CorruptDataException failure;
  private BatchRing.@Nullable Part again;

  /// @param done samples that all ranks together have had of it
  /// @param stride batches of what is left of it that it has
  Epoch(Loader loader, Pass pass, FidelityMix mix, long done, Stride stride) {
    this.loader = loader;
    this.pass = pass;
    this.mix = mix;
    this.done = done;
    this.stride = stride;
    number = pass.epoch;
    setting = loader.setting();
    options = setting.options();
    ring = loader.ring();
    firstBatch = Math.ceilDiv(done, (long) options.world() * options.batchSize());
    plan = loader.plan(done);
    ledger = new Ledger(options, BatchMixer.of(setting.pipeline(), options.seed(), number));
    arrive();
  }

  /// Begins to count time.
  void arrive() {
    start = System.nanoTime();
    last = start;
    pass.meters.begin();
  }

  /// {@return whether this has those batches of a whole epoch of that number and fidelity}
  boolean is(long wanted, FidelityMix fidelityWanted, Stride strideWanted) {
    return number == wanted
        && done == 0
        && mix.equals(fidelityWanted)
        && stride.equals(strideWanted);
  }

  /// {@return its section of the loader's batches}
  Section section() {
    return pass.section;
  }

  /// Waits for the next batch.
  ///
  /// @return it, to be closed by the caller, or null at the end of the epoch
  /// @throws CorruptDataException under [ErrorPolicy#FAIL], at the first bad sample in order, once
  ///     all batches before it are delivered; under the other policies, if there are more bad
  ///     samples than [LoadOptions#maxBad] allows. Further calls throw it again
  /// @throws IOException if the dataset cannot be opened by a reader
  /// @throws IllegalStateException if the epoch is closed, or the caller holds all batches itself,
  ///     or a thread of the loader died of an unexpected error
  public @Nullable Batch next() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (closed) {
      throw new IllegalStateException("epoch is closed");
    }
    var event = new BatchEvent();
    event.begin();
    long begin = System.nanoTime();
    BatchRing.Part same = again;
    if (same != null) {
      return repeat(same);
    }
    while (true) {
      BatchRing.Part part = ring.await(pass.section, nextBatch);
      if (part == null) {
        end();
        return null;
      }
      int size = settle(part);
      nextBatch++;
      taken += part.expected();
      long held = part.batch();
      if (size == 0) {
        ring.release(part, held);
        continue;
      }
      last = System.nanoTime();
      pass.meters.add(Stage.STALL, last - begin, 1, 0);
      if (options.synthetic()) {
        again = part;
        long index = firstBatch + stride.batch(deliveredBatches++);
        return new Batch(part.buffer, size, ledger.valid(), number, index, () -> {});
      }
      var batch =
          new Batch(
              part.buffer,
              size,
              ledger.valid(),
              number,
              firstBatch + number(),
              () -> ring.release(part, held),
              () -> ring.keep(part, held));
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

  /// {@return the number of the batch taken last, without those that came to nothing; among all of
  ///     the rank where this has only some}
  private long number() {
    long delivered = deliveredBatches++;
    return whole() ? delivered : stride.batch(nextBatch - 1);
  }

  /// {@return the number of the batch taken last among those of the rank that were left; batches
  ///     that came to nothing count too}
  public long place() {
    return stride.batch((again == null ? nextBatch : deliveredBatches) - 1);
  }

  private boolean whole() {
    return stride.equals(Stride.ALL);
  }

  private int settle(BatchRing.Part part) throws CorruptDataException {
    try {
      return ledger.settle(part, ring.count(pass.section));
    } catch (CorruptDataException e) {
      failure = e;
      ring.release(part, part.batch());
      throw e;
    }
  }

  private void end() throws CorruptDataException {
    if (complete) {
      return;
    }
    try {
      ledger.checkLimit(ring.count(pass.section));
    } catch (CorruptDataException e) {
      failure = e;
      throw e;
    }
    complete = true;
    StageEvent.writeAll(number, pass.meters);
  }

  private @Nullable Batch repeat(BatchRing.Part part) throws CorruptDataException {
    if (deliveredBatches >= stride.batches(plan.batches())) {
      end();
      return null;
    }
    last = System.nanoTime();
    int size = part.expected();
    ledger.repeat(size);
    return new Batch(
        part.buffer, size, number, firstBatch + stride.batch(deliveredBatches++), () -> {});
  }

  /// {@return where loading stands after the batches that [#next] returned; at the epoch's end,
  ///     the start of the next one}
  ///
  /// @throws IllegalStateException if it has only some of the rank's batches
  public LoaderState state() {
    if (!whole()) {
      throw new IllegalStateException("some batches of an epoch have no state of their own");
    }
    if (complete) {
      return loader.state(number + 1, 0, null);
    }
    long all = done + taken * options.world();
    long size = loader.epochSize();
    return loader.state(number, size < 0 ? all : Math.min(all, size), mix);
  }

  /// {@return what was announced about it}
  public EpochPlan plan() {
    return plan;
  }

  /// {@return which sample comes at each position, or null where only reading tells; under the
  /// two-region order samples are numbered from the first of the rank's part}
  public @Nullable EpochOrder order() {
    return pass.order();
  }

  /// {@return what its stages count, for any thread to look at while it runs}
  public Meters meters() {
    return pass.meters;
  }

  /// {@return whether every sample of the dataset came exactly once: the epoch is complete and the
  /// digest of what was delivered and skipped equals the dataset's own}
  public boolean verified() {
    return complete
        && done == 0
        && whole()
        && options.world() == 1
        && ledger.setDigest().equals(setting.dataset().setDigest())
        && contradiction().isEmpty();
  }

  /// {@return how samples or labels of the whole epoch differ from what the dataset says, in words.
  ///     Empty if they do not, or cannot be compared: in a part of an epoch, of the ranks or of the
  ///     samples, where some were skipped or dropped, or where only a full read would tell}
  String contradiction() {
    if (!complete
        || done != 0
        || !whole()
        || options.world() != 1
        || options.synthetic()
        || !options.choice().all()
        || ledger.skipped() > 0
        || dropped() > 0) {
      return "";
    }
    return ledger.contradiction(setting.dataset());
  }

  private long dropped() {
    if (!complete || setting.dataset().indexed()) {
      return Math.max(0, plan.dropped());
    }
    return options.deal().plan(pass.rest()).dropped();
  }

  /// {@return what the epoch did so far}
  public EpochReport report() {
    double seconds = (last - start) / 1e9;
    return new EpochReport(
        number,
        ledger.delivered(),
        ledger.skipped(),
        ledger.substituted(),
        ledger.padded(),
        dropped(),
        ledger.unlabelled(),
        ledger.missing(),
        ledger.outside(),
        ledger.faults(),
        options.decoding(),
        (start - loader.made()) / 1e9,
        seconds,
        pass.meters.stored(),
        pass.fidelity.readAll(),
        loader.cacheReading(pass),
        pass.meters.readAll(),
        pass.meters.queueOccupancy(),
        Bottleneck.of(
            seconds,
            pass.meters.read(Stage.STALL).seconds(),
            pass.meters.read(Stage.STARVE).seconds(),
            pass.meters.read(Stage.DECODE).seconds(),
            pass.meters.read(Stage.TRANSFORM).seconds(),
            options.threads()),
        ledger.digest(),
        ledger.setDigest(),
        verified(),
        contradiction());
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    loader.closed(this);
  }
}
