package io.headrace.load.fetch;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.LevelChoice;
import io.headrace.format.Sample;
import io.headrace.load.cache.ByteCache;
import io.headrace.load.cache.SamplePacking;
import io.headrace.load.deliver.BatchSizer;
import io.headrace.load.plan.FidelityCounts;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.EpochOrder;
import io.headrace.random.CounterRandom;
import io.headrace.store.Gather;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Gets the sample at a position, from storage or a cache. One for each reader thread.
abstract sealed class Fetcher implements Closeable
    permits Fetcher.Reading, Fetcher.Caching, Fetcher.Decoded, RegionFetcher {
  final SampleReader reader;
  final EpochOrder order;
  private final FidelityCounts fidelity;
  final @Nullable LevelChoice levels;
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

  /// {@return how many positions a reader may take ahead of the others}
  int mostAtOnce() {
    return BatchSizer.MAX;
  }

  /// {@return how many positions to take at once}
  ///
  /// @param begin the first of them
  /// @param wanted how many would be read in good time, one by one
  /// @param longest how many may be taken
  int runFrom(long begin, int wanted, int longest) {
    return Math.min(wanted, longest);
  }

  /// Says that the positions of a run are fetched next, one after the other.
  ///
  /// @param end one after the last of them, at most [#mostAtOnce] from `begin`
  void expect(long begin, long end) {}

  /// {@return how many requests some samples took that were just read; by default one each}
  long takeRequests(int samples) {
    return samples;
  }

  /// {@return how many groups are read of a sample}
  final int groupsOf(long sample) {
    return fidelity.draw(sample, random);
  }

  /// Reads from storage; of a pyramid only one level, of a packed JPEG only the bands that it
  /// takes.
  final void read(long sample, Sample into) throws IOException {
    read(sample, levels, into);
  }

  /// Reads from storage what is to be kept for other epochs. For pyramids these are all levels
  /// that may be wanted, of a packed JPEG all bands; [#choose] then chooses among them. If one of
  /// them is damaged, only the level that this epoch wants is read, so that a cache adds no
  /// faults.
  ///
  /// @return whether the sample is what is to be kept
  final boolean readToKeep(long sample, Sample into) throws IOException {
    LevelChoice choice = levels;
    LevelChoice keeping =
        choice == null ? null : choice.fields() ? LevelChoice.ALL.withFields() : LevelChoice.ALL;
    try {
      read(sample, keeping, into);
      return true;
    } catch (CorruptDataException e) {
      if (choice == null || into.level() < 0) {
        throw e;
      }
      read(sample, choice, into);
      return false;
    }
  }

  private void read(long sample, @Nullable LevelChoice choice, Sample into) throws IOException {
    int groups = groupsOf(sample);
    try {
      if (choice == null) {
        reader.read(sample, groups, into);
      } else {
        reader.read(sample, groups, choice, into);
      }
    } finally {
      bytesRead += into.storedBytes();
      int cut = into.groups() < into.groupsInAll() ? into.groups() : groups;
      fidelity.add(into.level() < 0 ? cut : into.level() + 1, 1, into.storedBytes());
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

  /// Brings a sample from the cache to the fidelity of this epoch.
  ///
  /// @return whether the cache held enough of it
  final boolean finish(long sample, Sample into) {
    int groups = groupsOf(sample);
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
    int groups = groupsOf(sample);
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
  long takeBytesRead() {
    long bytes = bytesRead;
    bytesRead = 0;
    return bytes;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  /// Reads every sample; neighbours of a run are read together.
  static final class Reading extends Fetcher {
    /// With less memory than this, reading together is not worth it.
    private static final long MIN = 64 << 10;

    /// Samples whose numbers differ by more count as far from each other.
    private static final long FAR = 16;

    /// A run fills this share of the most that one request may read, by the mean size of samples so
    /// far. A second request of the run would come after another reader's, and a disk would seek
    /// there and back.
    private static final double FILLED = 0.8;

    private final LongAdder misses;
    private final Gather gather;
    private final boolean gathers;
    private final long[] samples = new long[BatchSizer.MAX];
    private final long[] sorted = new long[BatchSizer.MAX];
    private final int[] groups = new int[BatchSizer.MAX];
    private final Neighbours neighbours = new Neighbours(BatchSizer.MAX);
    private long begin;
    private long end;
    private boolean gathering;

    /// Mean bytes of the samples read lately; 0 before the first.
    private double meanBytes;

    /// @param gather to read with, closed with this
    Reading(
        SampleReader reader,
        EpochOrder order,
        FidelityCounts fidelity,
        LongAdder misses,
        Gather gather) {
      super(reader, order, fidelity);
      this.misses = misses;
      this.gather = gather;
      gathers = gather.limit() >= MIN && reader.expect(samples, groups, 0, null, gather);
    }

    /// A run may hold more than `wanted` positions if it takes no more than `wanted` requests.
    @Override
    int runFrom(long first, int wanted, int longest) {
      int least = Math.min(wanted, longest);
      if (!gathers || least == longest || meanBytes > gather.largestPiece()) {
        return least;
      }
      double mean = meanBytes == 0 ? gather.limit() : meanBytes;
      int most = Math.clamp((long) (FILLED * gather.limit() / mean), least, longest);
      neighbours.reset(1 + (long) (Gather.GAP / mean));
      for (int i = 0; i < most; i++) {
        if (neighbours.add(order.sampleAt(first + i)) > wanted) {
          return i;
        }
      }
      return most;
    }

    @Override
    void expect(long from, long to) {
      begin = from;
      end = to;
      int n = (int) (to - from);
      for (int i = 0; i < n; i++) {
        samples[i] = order.sampleAt(from + i);
        sorted[i] = samples[i];
      }
      gather.clear();
      gathering = gathers && areNear(n);
      if (gathering) {
        for (int i = 0; i < n; i++) {
          groups[i] = groupsOf(samples[i]);
        }
        boolean _ = reader.expect(samples, groups, n, levels, gather);
        gather.plan();
      }
    }

    /// {@return whether at least a quarter of a run's samples may have a neighbour in it}
    private boolean areNear(int n) {
      Arrays.sort(sorted, 0, n);
      int near = 0;
      for (int i = 1; i < n; i++) {
        near += sorted[i] - sorted[i - 1] <= FAR ? 1 : 0;
      }
      return 4 * near >= n && n > 1;
    }

    @Override
    long takeRequests(int samplesRead) {
      long requests = gather.takeRequests();
      return gathering ? Math.min(samplesRead, requests) : samplesRead;
    }

    @Override
    boolean fetch(long position, Sample into) throws IOException {
      misses.increment();
      boolean known = position >= begin && position < end;
      read(known ? samples[(int) (position - begin)] : order.sampleAt(position), into);
      double stored = Math.max(1, into.storedBytes());
      meanBytes += (stored - meanBytes) / (meanBytes == 0 ? 1 : 8);
      return true;
    }

    @Override
    long takeBytesRead() {
      return super.takeBytesRead() + gather.takeBetween();
    }

    @Override
    public void close() throws IOException {
      try (gather) {
        super.close();
      }
    }
  }

  /// Looks into a cache first, and offers it what it lacks.
  static final class Caching extends Fetcher {
    private final ByteCache cache;
    private final SamplePacking table;
    private final CacheCounts counts;
    private final Block scratch;

    Caching(
        SampleReader reader,
        CachePolicy.EpochReads reads,
        ByteCache cache,
        SamplePacking table,
        MemoryBudget budget) {
      super(reader, reads.begun().order(), reads.fidelities());
      this.cache = cache;
      this.table = table;
      counts = reads.counts();
      scratch = new Block(budget);
    }

    @Override
    boolean fetch(long position, Sample into) throws IOException {
      long sample = order.sampleAt(position);
      boolean held = recall(cache, sample, table, into);
      if (held && finish(sample, into)) {
        counts.hits().increment();
      } else {
        counts.misses().increment();
        boolean whole = true;
        if (held && extend(sample, into)) {
          counts.extended().increment();
        } else {
          whole = readToKeep(sample, into);
        }
        if (whole) {
          remember(cache, sample, held, table, into, scratch);
        }
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

  /// Looks into a cache of decoded samples first; what it lacks is offered once it is decoded. Then
  /// into one of encoded samples, if there is one.
  static final class Decoded extends Fetcher {
    private final ByteCache cache;
    private final @Nullable ByteCache encoded;
    private final SamplePacking table;
    private final CacheCounts counts;
    private final Block scratch;

    Decoded(
        SampleReader reader,
        CachePolicy.EpochReads reads,
        ByteCache cache,
        @Nullable ByteCache encoded,
        SamplePacking table,
        MemoryBudget budget) {
      super(reader, reads.begun().order(), reads.fidelities());
      this.cache = cache;
      this.encoded = encoded;
      this.table = table;
      counts = reads.counts();
      scratch = new Block(budget);
    }

    @Override
    boolean fetch(long position, Sample into) throws IOException {
      long sample = order.sampleAt(position);
      ByteCache more = encoded;
      if (recall(sample, into) || (more != null && recall(more, sample, table, into))) {
        counts.hits().increment();
      } else {
        counts.misses().increment();
        read(sample, into);
        if (more != null) {
          remember(more, sample, false, table, into, scratch);
        }
      }
      return true;
    }

    @Override
    public void close() throws IOException {
      try (scratch) {
        super.close();
      }
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

  /// {@return whether the cache had it, and `into` is now that sample. False if there is no memory
  ///     to copy it to: reading then says what is wrong, and where}
  static boolean recall(ByteCache cache, long key, SamplePacking table, Sample into) {
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
      ByteCache cache, long key, boolean held, SamplePacking table, Sample sample, Block scratch) {
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
