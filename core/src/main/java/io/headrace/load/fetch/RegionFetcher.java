package io.headrace.load.fetch;

import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.Sample;
import io.headrace.load.cache.RegionCache;
import io.headrace.load.cache.SamplePacking;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.Permutation;
import io.headrace.order.RegionEpoch;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

/// Follows a two-region order. Before the sample of a position is taken, all samples that must be
/// in memory by then are loaded, in disk order, shared among the readers. Then the reader waits if
/// another one still loads what it needs.
///
/// There is no deadlock: a reader that loads waits only for storage, and a reader has already
/// claimed what the lowest position needs.
final class RegionFetcher extends Fetcher {
  private final Shared shared;
  private final SamplePacking table;
  private final CacheCounts counts;
  private final Block scratch;
  private final Sample loading;

  /// What an epoch's readers share.
  static final class Shared {
    final RegionEpoch epoch;
    final RegionCache cache;
    final long start;
    final int skipped;
    final BitSet delivered = new BitSet();
    final AtomicInteger claimed = new AtomicInteger();

    /// @param start number of the first sample of the rank's part
    /// @param skipped positions that were delivered before
    Shared(RegionEpoch epoch, RegionCache cache, long start, int skipped) {
      this.epoch = epoch;
      this.cache = cache;
      this.start = start;
      this.skipped = skipped;
      Permutation order = epoch.order();
      for (int p = 0; p < skipped; p++) {
        delivered.set((int) order.at(p));
      }
      cache.begin(sample -> !epoch.isLoaded(sample));
    }
  }

  RegionFetcher(
      SampleReader reader,
      CachePolicy.EpochReads reads,
      Shared shared,
      SamplePacking table,
      MemoryBudget budget) {
    super(reader, reads.begun().order(), reads.fidelities());
    this.shared = shared;
    this.table = table;
    counts = reads.counts();
    scratch = new Block(budget);
    loading = new Sample(new Block(budget));
  }

  /// One, since loading and dropping is planned position by position.
  @Override
  int mostAtOnce() {
    return 1;
  }

  @Override
  boolean fetch(long position, Sample into) throws IOException {
    if (position >= order.own()) { // a sample repeated to keep up with other ranks
      read(shared.start + order.sampleAt(position), into);
      counts.misses().increment();
      return true;
    }
    int place = (int) position + shared.skipped;
    loadDue(shared.epoch.dueAt(place));
    int sample = (int) order.sampleAt(position);
    boolean loaded = shared.epoch.isLoaded(sample);
    if (loaded && !shared.cache.awaitLoaded(sample)) {
      return false;
    }
    boolean held = recall(shared.cache, sample, table, into);
    boolean found = held && finish(shared.start + sample, into);
    (found && !loaded ? counts.hits() : counts.misses()).increment();
    boolean whole = true;
    if (!found) {
      if (held && extend(shared.start + sample, into)) {
        counts.extended().increment();
      } else {
        whole = readToKeep(shared.start + sample, into);
      }
    }
    if (!shared.epoch.keeps(place)) {
      shared.cache.drop(sample);
    } else if (!found && whole) {
      remember(shared.cache, sample, held, table, into, scratch);
    }
    choose(into);
    return true;
  }

  private void loadDue(int due) {
    for (int n = shared.claimed.get(); n < due; n = shared.claimed.get()) {
      if (shared.claimed.compareAndSet(n, n + 1)) {
        load(shared.epoch.load(n));
      }
    }
  }

  private void load(int sample) {
    try {
      if (!shared.delivered.get(sample)) {
        if (readToKeep(shared.start + sample, loading)) {
          remember(shared.cache, sample, false, table, loading, scratch);
        }
      }
    } catch (IOException e) {
      // the fault is thrown where the sample is due, by reading again
    } finally {
      shared.cache.settle(sample);
    }
  }

  @Override
  public void close() throws IOException {
    try (scratch;
        loading) {
      super.close();
    }
  }
}
