package io.headrace.load;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.load.decode.DecodeWorker;
import io.headrace.load.decode.DecoderPool;
import io.headrace.load.deliver.BatchMixer;
import io.headrace.load.deliver.BatchRing;
import io.headrace.load.deliver.Ledger;
import io.headrace.load.deliver.LoaderThreads;
import io.headrace.load.deliver.Ring;
import io.headrace.load.fetch.IndexedSource;
import io.headrace.load.fetch.SampleMemory;
import io.headrace.load.fetch.SampleSource;
import io.headrace.load.fetch.SourceSetting;
import io.headrace.load.fetch.StreamSource;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.load.plan.FidelityMix;
import io.headrace.load.plan.LoadOptions;
import io.headrace.load.plan.LoadSetting;
import io.headrace.memory.Batch;
import io.headrace.memory.MemoryBudget;
import io.headrace.meter.BatchEvent;
import io.headrace.meter.Meters;
import io.headrace.meter.Stage;
import io.headrace.meter.StageEvent;
import io.headrace.order.EpochOrder;
import io.headrace.order.EpochPlan;
import io.headrace.order.OrderSpec;
import io.headrace.order.StreamOrder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One pass over the dataset, for one consumer thread. Its threads are the loader's; closing it
/// ends their work at once.
public final class Epoch implements AutoCloseable {
  /// Skipped samples listed in a report; the others are only counted.
  public static final int FAULTS_KEPT = Ledger.FAULTS_KEPT;

  /// What an epoch shares with those before and after it.
  ///
  /// @param load what the loader is made for
  /// @param ring buffers to fill
  /// @param threads threads to work on
  /// @param decoders for the workers
  /// @param made when the loader was made, in nanoseconds of the system's clock
  /// @param states makes the state of an epoch with so many samples done
  /// @param onRead told of an epoch when all of it is read
  /// @param onClose run when it is closed
  record Setting(
      LoadSetting load,
      Ring ring,
      LoaderThreads threads,
      DecoderPool decoders,
      SampleMemory memory,
      long made,
      States states,
      Consumer<Epoch> onRead,
      Runnable onClose) {}

  /// Makes states; where no fidelity is given, that of the next epoch to start.
  @FunctionalInterface
  interface States {
    LoaderState at(long epoch, long done, @Nullable FidelityMix fidelity);
  }

  private final long number;
  private final long done;

  /// Number of the first batch: after a resume, as if earlier batches had been as large as now.
  private final long firstBatch;

  private final Setting setting;
  private final FidelityMix mix;
  private final LoadOptions options;
  private final EpochPlan plan;
  private final FidelityCounts fidelity;
  private final Arena arena = Arena.ofShared();
  private final Meters meters;
  private final BatchRing ring;
  private final SampleSource source;
  private final SampleMemory.@Nullable Plan samples;
  private final List<LoaderThreads.Task> workers = new ArrayList<>();
  private final Ledger ledger;
  private volatile boolean read;
  private long start;
  private long last;
  private long nextBatch;
  private long taken;
  private long deliveredBatches;
  private boolean complete;
  private boolean closed;
  private @Nullable CorruptDataException failure;
  private BatchRing.@Nullable Part again;

  /// Prepares, and starts nothing: see [#begin].
  ///
  /// @param before the epoch before it, if that one still runs: this one then takes over the
  ///     buffers that it no longer needs
  Epoch(long number, long done, FidelityMix mix, Setting setting, @Nullable Epoch before) {
    this.number = number;
    this.done = done;
    this.mix = mix;
    this.setting = setting;
    options = setting.load().options();
    firstBatch = Math.ceilDiv(done, (long) options.world() * options.batchSize());
    Dataset dataset = setting.load().dataset();
    SampleMemory memory = setting.memory();
    plan = memory.plan(done);
    fidelity = new FidelityCounts(mix, setting.load(), number);
    ledger = new Ledger(options, BatchMixer.of(setting.load().pipeline(), options.seed(), number));
    int queued = Math.max(8, 4 * options.threads());
    meters = new Meters(queued);
    if (dataset.indexed()) {
      SampleMemory.Plan planned = memory.begin(number, done, mix);
      samples = planned;
      long count = Math.min(planned.order().count(), limit());
      long own = Math.min(count, planned.order().own());
      ring = setting.ring().begin(count, own, before == null ? null : before.ring);
      source =
          new IndexedSource(
              sourceSetting(queued), planned, before == null ? null : before.source, this::allRead);
    } else {
      samples = null;
      var streams =
          new StreamOrder(
              dataset.shards().size(),
              !(options.order() instanceof OrderSpec.Buffer) && options.shuffle(),
              options.shuffle(),
              options.seed(),
              number);
      ring = setting.ring().begin(-1, -1, null);
      source = new StreamSource(sourceSetting(queued), streams, done, limit());
    }
  }

  private SourceSetting sourceSetting(int queued) {
    return new SourceSetting(
        setting.load(), setting.memory(), setting.threads(), ring, arena, meters, queued, fidelity);
  }

  /// Sets threads to work on it.
  ///
  /// @param before the epoch before it, if that one still runs: each of its threads continues with
  ///     this one when its work there has ended
  void begin(@Nullable Epoch before) {
    arrive();
    try {
      startThreads(before);
    } catch (RuntimeException | Error e) {
      stopThreads();
      throw e;
    }
  }

  /// Begins to count time.
  void arrive() {
    start = System.nanoTime();
    last = start;
  }

  private void allRead() {
    read = true;
    setting.onRead().accept(this);
  }

  /// {@return whether all of it is read: only decoding is left}
  boolean isRead() {
    return read;
  }

  /// {@return whether another epoch may begin before this one has ended, within the memory allowed}
  boolean allowsAhead() {
    MemoryBudget budget = setting.load().budget();
    return !options.synthetic()
        && setting.memory().allowsAhead()
        && 2 * source.memory() <= budget.limit() - budget.reserved();
  }

  /// {@return whether this is a whole epoch of that number and fidelity}
  boolean is(long wanted, FidelityMix fidelityWanted) {
    return number == wanted && done == 0 && mix.equals(fidelityWanted);
  }

  private long limit() {
    return options.synthetic() ? options.batchSize() : Long.MAX_VALUE;
  }

  private void startThreads(@Nullable Epoch before) {
    if (options.synthetic() && plan.batches() < 0) {
      throw new ConfigException(
          "synthetic batches for a dataset whose size only reading tells: expected a size");
    }
    Runnable worker = // made by the thread itself, away in memory from what others write
        () ->
            new DecodeWorker(
                    setting.decoders(),
                    source,
                    ring,
                    setting.load().pipeline(),
                    options,
                    meters,
                    number)
                .run();
    LoaderThreads threads = setting.threads();
    for (int i = 0; i < options.threads(); i++) {
      String name = "decode-" + i;
      workers.add(
          before == null
              ? threads.run(name, worker)
              : threads.runAfter(before.workers.get(i), name, worker));
    }
    source.start();
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
    var event = new BatchEvent();
    event.begin();
    long begin = System.nanoTime();
    BatchRing.Part same = again;
    if (same != null) {
      return repeat(same);
    }
    while (true) {
      BatchRing.Part part = ring.await(nextBatch);
      if (part == null) {
        end();
        return null;
      }
      int size = settle(part);
      nextBatch++;
      taken += part.expected();
      if (size == 0) {
        ring.release(part);
        continue;
      }
      last = System.nanoTime();
      meters.add(Stage.STALL, last - begin, 1, 0);
      if (options.synthetic()) {
        again = part;
        deliveredBatches++;
        return new Batch(part.buffer, size, ledger.valid(), number, firstBatch, () -> {});
      }
      var batch =
          new Batch(
              part.buffer,
              size,
              ledger.valid(),
              number,
              firstBatch + deliveredBatches++,
              () -> ring.release(part),
              () -> ring.keep(part));
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

  private int settle(BatchRing.Part part) throws CorruptDataException {
    try {
      return ledger.settle(part, ring.count());
    } catch (CorruptDataException e) {
      failure = e;
      ring.release(part);
      throw e;
    }
  }

  private void end() throws CorruptDataException {
    if (complete) {
      return;
    }
    try {
      ledger.checkLimit(ring.count());
    } catch (CorruptDataException e) {
      failure = e;
      throw e;
    }
    complete = true;
    StageEvent.writeAll(number, meters);
  }

  private @Nullable Batch repeat(BatchRing.Part part) throws CorruptDataException {
    if (deliveredBatches >= plan.batches()) {
      end();
      return null;
    }
    last = System.nanoTime();
    int size = part.expected();
    ledger.repeat(size);
    return new Batch(part.buffer, size, number, firstBatch + deliveredBatches++, () -> {});
  }

  /// {@return where loading stands after the batches that [#next] returned; at the epoch's end,
  ///     the start of the next one}
  public LoaderState state() {
    if (complete) {
      return setting.states().at(number + 1, 0, null);
    }
    long all = done + taken * options.world();
    long size = setting.load().dataset().size();
    return setting.states().at(number, size < 0 ? all : Math.min(all, size), mix);
  }

  /// {@return what was announced about it}
  public EpochPlan plan() {
    return plan;
  }

  /// {@return which sample comes at each position, or null where only reading tells; under the
  /// two-region order samples are numbered from the first of the rank's part}
  public @Nullable EpochOrder order() {
    return samples == null ? null : samples.order();
  }

  /// {@return what its stages count, for any thread to look at while it runs}
  public Meters meters() {
    return meters;
  }

  /// {@return whether every sample of the dataset came exactly once: the epoch is complete and the
  /// digest of what was delivered and skipped equals the dataset's own}
  public boolean verified() {
    return complete
        && done == 0
        && options.world() == 1
        && ledger.setDigest().equals(setting.load().dataset().setDigest())
        && contradiction().isEmpty();
  }

  /// {@return how samples or labels of the whole epoch differ from what the dataset says, in words.
  ///     Empty if they do not, or cannot be compared: in a part of an epoch or of the ranks, where
  ///     samples were skipped or dropped, or where only a full read would tell}
  String contradiction() {
    if (!complete
        || done != 0
        || options.world() != 1
        || options.synthetic()
        || ledger.skipped() > 0
        || dropped() > 0) {
      return "";
    }
    return ledger.contradiction(setting.load().dataset());
  }

  private long dropped() {
    if (!complete || samples != null) {
      return Math.max(0, plan.dropped());
    }
    return options.deal().plan(((StreamSource) source).rest()).dropped();
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
        (start - setting.made()) / 1e9,
        seconds,
        meters.stored(),
        fidelity.readAll(),
        setting.memory().reading(samples),
        meters.readAll(),
        meters.queueOccupancy(),
        Bottleneck.of(
            seconds,
            meters.read(Stage.STALL).seconds(),
            meters.read(Stage.STARVE).seconds(),
            meters.read(Stage.DECODE).seconds(),
            meters.read(Stage.TRANSFORM).seconds(),
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
    stopThreads();
    setting.onClose().run();
  }

  private void stopThreads() {
    ring.close();
    source.stop();
    for (LoaderThreads.Task worker : workers) {
      worker.join();
    }
    source.dispose();
    ring.leave();
    arena.close();
  }
}
