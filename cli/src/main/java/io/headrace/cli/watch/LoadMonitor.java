package io.headrace.cli.watch;

import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.plan.CacheReading;
import io.headrace.meter.Meters;
import io.headrace.meter.StageReading;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The figures of a running load. The thread that takes batches reports to it. Any thread may read
/// it, for an epoch or for all epochs together.
public final class LoadMonitor {
  private static final long CACHE_NANOS = 200_000_000;

  private final Loader loader;
  private final long size;
  private final long memoryLimit;
  private final int threads;
  private final LongAdder samples = new LongAdder();
  private final List<EpochReport> ended = new ArrayList<>();
  private long looked;
  private long epoch;
  private @Nullable Meters meters;
  private long before;
  private volatile @Nullable CacheReading cache;

  /// @param size samples of an epoch, or -1 if not known
  /// @param memoryLimit bytes that the loader may take off heap
  /// @param threads decode workers
  public LoadMonitor(Loader loader, long size, long memoryLimit, int threads) {
    this.loader = loader;
    this.size = size;
    this.memoryLimit = memoryLimit;
    this.threads = threads;
  }

  /// A reading at one time.
  ///
  /// @param epoch its number, or that of the one under way
  /// @param size samples of an epoch, or -1
  /// @param samples delivered
  /// @param skipped samples found bad
  /// @param stored bytes taken from storage
  /// @param seconds since the epoch began
  /// @param stages what each did, if anything has begun
  /// @param queued samples in the queue, summed over every time a worker looked
  /// @param places places of the queue, summed over every time a worker looked
  /// @param hits of the cache
  /// @param misses of the cache
  /// @param cacheBytes taken by the cache now
  /// @param memory off-heap bytes taken now
  /// @param memoryLimit off-heap bytes that may be taken
  /// @param threads decode workers
  public record Now(
      long epoch,
      long size,
      long samples,
      long skipped,
      long stored,
      double seconds,
      List<StageReading> stages,
      long queued,
      long places,
      long hits,
      long misses,
      long cacheBytes,
      long memory,
      long memoryLimit,
      int threads) {}

  /// An epoch begins.
  public synchronized void begin(Epoch begun, long number) {
    meters = begun.meters();
    epoch = number;
    before = samples.sum();
    cache = null;
  }

  /// A batch was taken.
  public void batch(Epoch current, int size) {
    samples.add(size);
    long now = System.nanoTime();
    if (now - looked > CACHE_NANOS) {
      looked = now;
      cache = current.report().cache();
    }
  }

  /// The epoch is over.
  public synchronized void end(EpochReport report) {
    ended.add(report);
    cache = report.cache();
    meters = null;
  }

  /// {@return the epoch under way, or null between epochs}
  public synchronized @Nullable Now current() {
    Meters running = meters;
    return running == null
        ? null
        : now(
            samples.sum() - before,
            running.faults(),
            running.stored(),
            running.seconds(),
            running.readAll(),
            running);
  }

  /// {@return all epochs so far together}
  public synchronized Now all() {
    Meters running = meters;
    long skipped = running == null ? 0 : running.faults();
    long stored = running == null ? 0 : running.stored();
    double seconds = running == null ? 0 : running.seconds();
    List<StageReading> stages = running == null ? List.of() : running.readAll();
    for (EpochReport report : ended) {
      skipped += report.skipped();
      stored += report.bytesRead();
      seconds += report.seconds();
      stages = sum(stages, report.stages());
    }
    return now(samples.sum(), skipped, stored, seconds, stages, running);
  }

  private Now now(
      long samples,
      long skipped,
      long stored,
      double seconds,
      List<StageReading> stages,
      @Nullable Meters running) {
    CacheReading latest = cache;
    long hits = running == null || latest == null ? 0 : latest.hits();
    long misses = running == null || latest == null ? 0 : latest.misses();
    for (EpochReport report : ended) {
      hits += report.cache().hits();
      misses += report.cache().misses();
    }
    return new Now(
        epoch,
        size,
        samples,
        skipped,
        stored,
        seconds,
        stages,
        running == null ? 0 : running.queuedSum(),
        running == null ? 0 : running.placesSum(),
        hits,
        misses,
        latest == null ? 0 : latest.usedBytes(),
        loader.memory(),
        memoryLimit,
        threads);
  }

  private static List<StageReading> sum(List<StageReading> some, List<StageReading> more) {
    if (some.isEmpty()) {
      return more;
    }
    List<StageReading> sums = new ArrayList<>();
    for (int i = 0; i < some.size(); i++) {
      StageReading a = some.get(i);
      StageReading b = more.get(i);
      sums.add(
          new StageReading(
              a.stage(),
              a.seconds() + b.seconds(),
              a.cpuSeconds() + b.cpuSeconds(),
              a.items() + b.items(),
              a.bytes() + b.bytes()));
    }
    return sums;
  }
}
