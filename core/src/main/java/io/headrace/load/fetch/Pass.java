package io.headrace.load.fetch;

import io.headrace.load.deliver.Section;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.meter.Meters;
import io.headrace.meter.Stage;
import io.headrace.order.EpochOrder;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// An epoch as the threads see it that fill its batches: its section of the stream of positions,
/// what comes at each, and what is counted. Thread-safe.
public final class Pass {
  public final long epoch;
  public final Section section;
  public final FidelityCounts fidelity;
  public final Meters meters = new Meters();

  /// Positions from its start that readers have claimed.
  final AtomicLong claimed = new AtomicLong();

  private final @Nullable Planned planned;
  private int readers;
  private long readAt;
  private long rest = -1;

  /// What is known of an epoch that is not of streams.
  ///
  /// @param reads what its fetchers share
  /// @param predicted share of hits, NaN if no formula is known
  /// @param fetchers one for each of its readers
  record Planned(
      CachePolicy.EpochReads reads, double predicted, CachePolicy.FetcherSource fetchers) {}

  /// @param readers threads that read it
  Pass(
      long epoch,
      Section section,
      FidelityCounts fidelity,
      @Nullable Planned planned,
      int readers) {
    this.epoch = epoch;
    this.section = section;
    this.fidelity = fidelity;
    this.planned = planned;
    this.readers = readers;
  }

  /// {@return which sample comes at each position from its start; null where only reading tells}
  public @Nullable EpochOrder order() {
    return planned == null ? null : planned.reads.begun().order();
  }

  /// {@return the number of the sample at a position of the stream, as [#order] numbers it}
  public long sampleAt(long position) {
    return planned().reads.begun().order().sampleAt(position - section.start());
  }

  /// {@return the epoch for which random steps draw at a position of the stream}
  public long turnAt(long position) {
    return planned == null
        ? epoch
        : planned.reads.begun().order().turnAt(position - section.start(), epoch);
  }

  private Planned planned() {
    return Objects.requireNonNull(planned, "streams have no plan");
  }

  Fetcher openFetcher() throws IOException {
    return planned().fetchers.open();
  }

  CacheCounts cached() {
    return planned == null ? new CacheCounts() : planned.reads.counts();
  }

  double predicted() {
    return planned == null ? 0 : planned.predicted;
  }

  /// Notes that one of its readers has read its last sample.
  ///
  /// @return whether all have
  synchronized boolean readerDone() {
    readers--;
    readAt = System.nanoTime();
    return isRead();
  }

  synchronized boolean isRead() {
    return readers == 0;
  }

  /// Counts that a worker waited for bytes, and how full it had found their queue. Nobody waits for
  /// bytes once all are read.
  ///
  /// @param waiting samples in the queue before
  /// @param places of the queue
  public synchronized void waited(int waiting, int places, long from, long to) {
    long nanos = isRead() ? Math.min(to - from, readAt - from) : to - from;
    meters.queued(waiting, places);
    meters.add(Stage.STARVE, Math.max(0, nanos), 0, 0);
  }

  /// {@return samples of the epoch from where it was resumed, in all ranks; -1 if not known yet, or
  ///     known from the plan}
  public synchronized long rest() {
    return rest;
  }

  synchronized void rest(long samples) {
    rest = samples;
  }
}
