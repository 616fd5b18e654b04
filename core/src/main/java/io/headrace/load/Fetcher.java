package io.headrace.load;

import io.headrace.error.DecodeException;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.Sample;
import io.headrace.load.cache.ByteCache;
import io.headrace.load.cache.CachedSample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.EpochOrder;
import io.headrace.random.CounterRandom;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.LongAdder;

/// Gets the sample at a position, from wherever it is. One a reader thread.
abstract sealed class Fetcher implements Closeable
    permits Fetcher.Reading, Fetcher.Caching, Fetcher.Decoded, RegionFetcher {
  final SampleReader reader;
  final EpochOrder order;
  private final FidelityCounts fidelity;
  private final CounterRandom random = new CounterRandom();
  private long bytesRead;

  Fetcher(SampleReader reader, EpochOrder order, FidelityCounts fidelity) {
    this.reader = reader;
    this.order = order;
    this.fidelity = fidelity;
  }

  /// Fills `into`. Positions come in rising order.
  ///
  /// @return false if the epoch was stopped while waiting
  abstract boolean fetch(long position, Sample into) throws IOException;

  /// {@return how many positions one reader may take in advance of the others}
  int mostAtOnce() {
    return Pace.MOST;
  }

  /// Reads from storage.
  final void read(long sample, Sample into) throws IOException {
    int groups = fidelity.draw(sample, random);
    try {
      reader.read(sample, groups, into);
    } finally {
      bytesRead += into.storedBytes();
      fidelity.add(groups, 1, into.storedBytes());
    }
  }

  /// Makes a sample that a cache held what it is at the fidelity of this epoch.
  ///
  /// @return whether the cache held enough of it
  final boolean finish(long sample, Sample into) {
    int groups = fidelity.draw(sample, random);
    boolean enough = into.serves(groups);
    if (enough) {
      into.shorten(groups);
    }
    return enough;
  }

  /// Reads what a cache did not hold of a sample.
  ///
  /// @return false if all of it must be read
  final boolean extend(long sample, Sample into) throws IOException {
    int groups = fidelity.draw(sample, random);
    boolean extended = true;
    try {
      extended = reader.extend(sample, groups, into);
    } finally {
      if (extended) {
        bytesRead += into.storedBytes();
        fidelity.add(groups, 1, into.storedBytes());
      }
    }
    return extended;
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
    private final CacheCounts counts;
    private final Block scratch;

    Caching(
        SampleReader reader,
        EpochOrder order,
        FidelityCounts fidelity,
        ByteCache cache,
        CachedSample table,
        MemoryBudget budget,
        CacheCounts counts) {
      super(reader, order, fidelity);
      this.cache = cache;
      this.table = table;
      this.counts = counts;
      scratch = new Block(budget);
    }

    @Override
    boolean fetch(long position, Sample into) throws IOException {
      long sample = order.sampleAt(position);
      boolean held = recall(cache, sample, table, into);
      if (held && finish(sample, into)) {
        counts.hits().increment();
        return true;
      }
      counts.misses().increment();
      if (held && extend(sample, into)) {
        counts.extended().increment();
      } else {
        read(sample, into);
      }
      remember(cache, sample, held, table, into, scratch);
      return true;
    }

    @Override
    public void close() throws IOException {
      try (scratch) {
        super.close();
      }
    }
  }

  /// Looks into a cache of decoded samples first; what it has not, it is offered once decoded.
  static final class Decoded extends Fetcher {
    private final ByteCache cache;
    private final CachedSample table;
    private final CacheCounts counts;

    Decoded(
        SampleReader reader,
        EpochOrder order,
        FidelityCounts fidelity,
        ByteCache cache,
        CachedSample table,
        CacheCounts counts) {
      super(reader, order, fidelity);
      this.cache = cache;
      this.table = table;
      this.counts = counts;
    }

    @Override
    boolean fetch(long position, Sample into) throws IOException {
      long sample = order.sampleAt(position);
      if (recall(sample, into)) {
        counts.hits().increment();
      } else {
        counts.misses().increment();
        read(sample, into);
      }
      return true;
    }

    private boolean recall(long sample, Sample into) {
      MemorySegment value = cache.view(sample);
      if (value.byteSize() == 0) {
        boolean held = recall(cache, sample, table, into);
        if (held) {
          into.decoded();
        }
        return held;
      }
      try {
        table.unpackAround(value, into);
        return true;
      } catch (DecodeException e) {
        return false; // reading says what is wrong, and where
      }
    }
  }

  /// {@return whether the cache had it, and `into` is it. Not so if there is no memory to copy it
  /// to: reading then says what is wrong, and where}
  static boolean recall(ByteCache cache, long key, CachedSample table, Sample into) {
    try {
      if (cache.get(key, into.block()) < 0) {
        return false;
      }
    } catch (DecodeException e) {
      return false;
    }
    table.unpack(into);
    return true;
  }

  /// Offers a sample to a cache, unless there is no memory to pack it in.
  ///
  /// @param held whether the cache has less of it
  static void remember(
      ByteCache cache, long key, boolean held, CachedSample table, Sample sample, Block scratch) {
    if (!held && !cache.wants(key)) {
      return;
    }
    try {
      MemorySegment value = table.pack(sample, scratch);
      boolean _ = held ? cache.replace(key, value) : cache.put(key, value);
    } catch (DecodeException e) {
      // it will be read again next time
    }
  }
}
