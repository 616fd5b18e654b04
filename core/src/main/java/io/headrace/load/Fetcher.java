package io.headrace.load;

import io.headrace.error.DecodeException;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.LevelChoice;
import io.headrace.format.Sample;
import io.headrace.load.cache.ByteCache;
import io.headrace.load.cache.CachedSample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.EpochOrder;
import io.headrace.random.CounterRandom;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Gets the sample at a position, from wherever it is. One a reader thread.
abstract sealed class Fetcher implements Closeable
    permits Fetcher.Reading, Fetcher.Caching, RegionFetcher {
  final SampleReader reader;
  final EpochOrder order;
  private final FidelityCounts fidelity;
  private final @Nullable LevelChoice levels;
  private final CounterRandom random = new CounterRandom();
  private long bytesRead;

  Fetcher(SampleReader reader, EpochOrder order, FidelityCounts fidelity) {
    this.reader = reader;
    this.order = order;
    this.fidelity = fidelity;
    levels = fidelity.levels();
  }

  /// Fills `into`. Positions come in rising order.
  ///
  /// @return false if the epoch was stopped while waiting
  abstract boolean fetch(long position, Sample into) throws IOException;

  /// {@return how many positions one reader may take in advance of the others}
  int mostAtOnce() {
    return Pace.MOST;
  }

  /// Reads from storage: of a pyramid one level.
  final void read(long sample, Sample into) throws IOException {
    read(sample, levels, into);
  }

  /// Reads from storage what is to be kept for other epochs: of a pyramid all levels that may be
  /// wanted, which [#choose] is then to choose from.
  final void readToKeep(long sample, Sample into) throws IOException {
    read(sample, levels == null ? null : LevelChoice.ALL, into);
  }

  private void read(long sample, @Nullable LevelChoice choice, Sample into) throws IOException {
    int groups = fidelity.draw(sample, random);
    try {
      if (choice == null) {
        reader.read(sample, groups, into);
      } else {
        reader.read(sample, groups, choice, into);
      }
    } finally {
      bytesRead += into.storedBytes();
      fidelity.add(into.level() < 0 ? groups : into.level() + 1, 1, into.storedBytes());
    }
  }

  /// Chooses among levels that are in memory.
  final void choose(Sample sample) {
    LevelChoice choice = levels;
    if (choice != null && sample.levels() > 0) {
      sample.takeLevel(
          choice.choose(sample.id(), sample.fullHeight(), sample.fullWidth(), sample.levels()));
    }
  }

  /// {@return bytes taken from storage since this was last asked}
  final long takeBytesRead() {
    long bytes = bytesRead;
    bytesRead = 0;
    return bytes;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  /// Reads every sample.
  static final class Reading extends Fetcher {
    private final LongAdder misses;

    Reading(SampleReader reader, EpochOrder order, FidelityCounts fidelity, LongAdder misses) {
      super(reader, order, fidelity);
      this.misses = misses;
    }

    @Override
    boolean fetch(long position, Sample into) throws IOException {
      misses.increment();
      read(order.sampleAt(position), into);
      return true;
    }
  }

  /// Looks into a cache first, and offers it what it has not.
  static final class Caching extends Fetcher {
    private final ByteCache cache;
    private final CachedSample table;
    private final LongAdder hits;
    private final LongAdder misses;
    private final Block scratch;

    Caching(
        SampleReader reader,
        EpochOrder order,
        FidelityCounts fidelity,
        ByteCache cache,
        CachedSample table,
        MemoryBudget budget,
        LongAdder hits,
        LongAdder misses) {
      super(reader, order, fidelity);
      this.cache = cache;
      this.table = table;
      this.hits = hits;
      this.misses = misses;
      scratch = new Block(budget);
    }

    @Override
    boolean fetch(long position, Sample into) throws IOException {
      long sample = order.sampleAt(position);
      if (recall(cache, sample, into)) {
        table.unpack(into);
        hits.increment();
      } else {
        misses.increment();
        readToKeep(sample, into);
        remember(cache, sample, table, into, scratch);
      }
      choose(into);
      return true;
    }

    @Override
    public void close() throws IOException {
      try (scratch) {
        super.close();
      }
    }
  }

  /// {@return whether the cache had it. Not so if there is no memory to copy it to: reading then
  /// says what is wrong, and where}
  static boolean recall(ByteCache cache, long key, Sample into) {
    try {
      return cache.get(key, into.block()) >= 0;
    } catch (DecodeException e) {
      return false;
    }
  }

  /// Offers a sample to a cache, unless there is no memory to pack it in.
  static void remember(
      ByteCache cache, long key, CachedSample table, Sample sample, Block scratch) {
    try {
      boolean _ = cache.put(key, table.pack(sample, scratch));
    } catch (DecodeException e) {
      // it will be read again next time
    }
  }
}
