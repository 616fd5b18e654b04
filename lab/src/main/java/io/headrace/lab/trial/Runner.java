package io.headrace.lab.trial;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Subset;
import io.headrace.lab.machine.ProcessorTime;
import io.headrace.lab.machine.Traffic;
import io.headrace.load.EpochReport;
import io.headrace.load.PacedConsumer;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import io.headrace.store.Store;
import io.headrace.store.Stores;
import io.headrace.store.ThrottledStore;
import io.headrace.store.disk.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// Runs trials, each on data that is converted once and kept until this is closed. For one thread.
public final class Runner implements AutoCloseable {
  /// Numbers of the epochs of one repeat and the next are this far apart.
  private static final long FAR = 1_000_000;

  /// The same where an epoch depends on all before it, so that each costs time.
  private static final long NEAR = 1000;

  /// A warm-up goes on while a sample's processor time falls to this share of what it took before:
  /// code that is new to the process becomes faster for seconds.
  private static final double FALLING = 0.95;

  /// Processors that must be busy for that to matter.
  private static final double BUSY = 0.5;

  private static final int MAX_WINDOWS = 10;

  private final Instruments instruments;
  private final Workshop workshop;

  /// @param work folder for converted data, made where it is not there
  /// @param keep whether it stays when this is closed, so that a later runner need not convert
  ///     again
  public Runner(Path work, boolean keep) {
    this(work, keep, Instruments.ofMachine());
  }

  /// A runner with instruments of the caller's.
  public Runner(Path work, boolean keep, Instruments instruments) {
    this.instruments = instruments;
    workshop = new Workshop(work, keep, instruments, new HashMap<>());
  }

  /// {@return what was done ahead for a trial; does it if that is not yet done}
  public Conversion prepare(Trial trial) throws IOException, InterruptedException {
    return workshop.stored(trial).conversion();
  }

  /// {@return where the data of a trial lie; converts them if they are not yet}
  public Path path(Trial trial) throws IOException, InterruptedException {
    return workshop.stored(trial).path();
  }

  /// Drops what was done ahead for a trial, so that it is done, and timed, anew.
  public void forget(Trial trial) throws IOException {
    workshop.forget(trial);
  }

  /// {@return the data of a trial, opened through a store; to be closed by the caller}
  public Dataset open(Trial trial, Store store) throws IOException, InterruptedException {
    return workshop.stored(trial).open(trial, store);
  }

  /// Runs a trial once.
  ///
  /// @param repeat number of the run, which decides what is drawn at random; 0 is a warm-up
  /// @param seconds that epochs are loaded for at least; of a cold run one epoch counts, however
  ///     short
  /// @throws IOException if an epoch delivers nothing, or data cannot be read
  public Run run(Trial trial, int repeat, double seconds) throws IOException, InterruptedException {
    Workshop.Stored stored = workshop.stored(trial);
    Store store = Stores.parse(trial.get(Key.STORE));
    try (Dataset data = stored.open(trial, store)) {
      if (trial.level() == CacheLevel.COLD) {
        if (!PageCache.supported()) {
          throw new ConfigException("level cold: dropping pages from the cache needs Linux");
        }
        for (Path file : stored.files()) {
          instruments.pages().drop(file);
        }
      }
      try (Instruments.Epochs epochs =
          instruments.loading().open(shown(data, trial), trial.pipeline(), trial.loading())) {
        return new Measurement(trial, repeat, store, stored.conversion(), epochs).run(seconds);
      }
    }
  }

  /// {@return the part of a dataset that a trial is about: data that were converted are that part}
  static Dataset shown(Dataset data, Trial trial) {
    return trial.representation() != null ? data : partOf(data, trial);
  }

  /// {@return the part of the dataset as it was found that a trial is about}
  static Dataset partOf(Dataset data, Trial trial) {
    int samples = trial.number(Key.SAMPLES);
    return samples == 0 ? data : new Subset(data, samples);
  }

  /// Removes a folder and all in it, if it is there.
  public static void remove(Path folder) throws IOException {
    Workshop.remove(folder);
  }

  /// One run.
  private final class Measurement {
    private final Trial trial;
    private final int repeat;
    private final Store store;
    private final Conversion conversion;
    private final Instruments.Epochs epochs;
    private final PacedConsumer consumer;
    private final List<EpochReport> reports = new ArrayList<>();
    private long number;
    private final String time = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();

    Measurement(
        Trial trial, int repeat, Store store, Conversion conversion, Instruments.Epochs epochs) {
      this.trial = trial;
      this.repeat = repeat;
      this.store = store;
      this.conversion = conversion;
      this.epochs = epochs;
      number = repeat * (trial.get(Key.ORDER).startsWith("two-region") ? NEAR : FAR);
      consumer = new PacedConsumer(trial.consumer(), instruments.ticker());
    }

    Run run(double seconds) throws IOException {
      boolean cold = trial.level() == CacheLevel.COLD;
      double each = 0;
      if (!cold) {
        long before = instruments.processors().get().ownNanos();
        load(true); // fills caches and queues
        each = (double) (instruments.processors().get().ownNanos() - before) / delivered();
      }
      for (int window = 1; ; window++) {
        reports.clear();
        ProcessorTime before = instruments.processors().get();
        Traffic came = instruments.traffic().get();
        long asked = requests();
        long start = instruments.ticker().nanos();
        double passed;
        do {
          load(!cold);
          passed = (instruments.ticker().nanos() - start) / 1e9;
        } while (!cold && passed < seconds);
        ProcessorTime after = instruments.processors().get();
        double last = each;
        double own = after.ownNanos() - before.ownNanos();
        each = own / delivered();
        boolean falls = each < FALLING * last && own / 1e9 > BUSY * passed;
        if (repeat > 0 || cold || window == MAX_WINDOWS || !falls) {
          return record(
              passed, before, after, requests() - asked, instruments.traffic().get().since(came));
        }
      }
    }

    private void load(boolean another) throws IOException {
      EpochReport report = epochs.load(number++, another, consumer);
      if (report.delivered() == 0) {
        throw new IOException(trial.get(Key.DATASET) + ": not one sample could be loaded");
      }
      reports.add(report);
    }

    private long delivered() {
      return reports.stream().mapToLong(EpochReport::delivered).sum();
    }

    /// {@return requests that reached the device so far, where it is imitated}
    private long requests() {
      return store instanceof ThrottledStore device ? device.requests() : 0;
    }

    private Run record(
        double seconds, ProcessorTime before, ProcessorTime after, long asked, Traffic came) {
      long hits = reports.stream().mapToLong(r -> r.cache().hits()).sum();
      long all = hits + reports.stream().mapToLong(r -> r.cache().misses()).sum();
      EpochReport last = reports.getLast();
      return new Run(
          trial.toMap(),
          repeat,
          time,
          reports.size(),
          delivered(),
          reports.stream().mapToLong(EpochReport::skipped).sum(),
          seconds,
          stages(),
          reports.stream().mapToLong(EpochReport::bytesRead).sum(),
          store instanceof ThrottledStore ? asked : came.readCalls(),
          came.diskBytes(),
          came.networkBytes(),
          (after.ownNanos() - before.ownNanos()) / 1e9,
          after.takenByOthers(before, seconds, instruments.allowed()),
          all == 0 ? 0 : (double) hits / all,
          last.cache().predicted(),
          last.cache().usedBytes(),
          reports.stream().mapToDouble(EpochReport::queueOccupancy).average().orElse(0),
          last.bottleneck().label(),
          epochs.peakMemory(),
          reports.stream().allMatch(EpochReport::verified),
          conversion);
    }

    private List<StageReading> stages() {
      List<StageReading> sums = new ArrayList<>();
      for (Stage stage : Stage.values()) {
        double seconds = 0;
        double cpu = 0;
        long items = 0;
        long bytes = 0;
        for (EpochReport report : reports) {
          for (StageReading reading : report.stages()) {
            if (reading.stage() == stage) {
              seconds += reading.seconds();
              cpu += reading.cpuSeconds();
              items += reading.items();
              bytes += reading.bytes();
            }
          }
        }
        sums.add(new StageReading(stage, seconds, cpu, items, bytes));
      }
      return sums;
    }
  }

  /// Removes converted data, unless they are kept.
  @Override
  public void close() throws IOException {
    workshop.close();
  }
}
