package io.headrace.load;

import io.headrace.memory.MemoryBudget;
import io.headrace.meter.Cpu;
import io.headrace.meter.Meters;
import io.headrace.meter.SpanEvent;
import io.headrace.meter.Stage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Supply from a dataset whose samples can be read one by one: readers claim runs of positions in
/// turn, each within one batch.
final class IndexedSupply extends Supply {
  /// Bytes in a reader's hand, beyond which it puts them down.
  private static final long HANDFUL = 512 << 10;

  private final SampleMemory memory;
  private final SampleMemory.FetcherSource fetchers;
  private final long count;
  private final int batchSize;
  private final Meters meters;
  private final int readers;
  private final ReadAhead ahead;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicInteger running;

  IndexedSupply(
      SampleMemory memory,
      SampleMemory.Plan plan,
      LoadOptions options,
      Assembly assembly,
      Arena arena,
      MemoryBudget budget,
      Meters meters,
      int queued,
      FidelityCounts fidelity) {
    int threads = options.threads() + options.readers();
    int least = queued + threads;
    int most = least + 2 * threads * Pace.MOST;
    super(assembly, arena, budget, least, most, most);
    this.memory = memory;
    fetchers = memory.fetchers(plan, fidelity);
    count = assembly.count();
    batchSize = options.batchSize();
    this.meters = meters;
    readers = options.readers();
    ahead = new ReadAhead(this, meters, least, most, budget.limit());
    running = new AtomicInteger(readers);
  }

  @Override
  void start() {
    for (int i = 0; i < readers; i++) {
      run("read-" + i, this::readAll);
    }
  }

  private void readAll() {
    try (Fetcher fetcher = fetchers.open()) {
      var hand = new Fetched[Pace.MOST];
      var pace = new Pace();
      while (true) {
        int most = pace.most(fetcher.mostAtOnce());
        long begin = claim(most);
        if (begin == count || !readRun(fetcher, hand, pace, begin, begin + lengthAt(begin, most))) {
          return;
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      assembly.fail(e);
    } finally {
      if (running.decrementAndGet() == 0) {
        queue.end();
      }
    }
  }

  /// {@return the first of a run of positions that are now the caller's, or the epoch's end}
  private long claim(int most) {
    while (true) {
      long begin = next.get();
      if (begin == count || next.compareAndSet(begin, begin + lengthAt(begin, most))) {
        return begin;
      }
    }
  }

  private long lengthAt(long begin, int most) {
    return Math.min(most, Math.min(count - begin, batchSize - begin % batchSize));
  }

  /// Reads a run of positions.
  ///
  /// @return false if the epoch was stopped
  private boolean readRun(Fetcher fetcher, Fetched[] hand, Pace pace, long begin, long end)
      throws IOException {
    long start = System.nanoTime();
    SpanEvent wait = SpanEvent.start();
    if (!assembly.awaitRoom(begin)) {
      return false;
    }
    for (long position = begin; position < end; ) {
      int n = ahead.take(hand, (int) (end - position));
      SpanEvent.write(wait, SpanEvent.ROOM, n, 0);
      long taken = System.nanoTime();
      meters.add(Stage.BLOCK, taken - start, 0, 0);
      if (n == 0) {
        return false;
      }
      int read = fill(fetcher, hand, n, position, taken);
      start = System.nanoTime();
      pace.took(start - taken, Math.max(1, read));
      for (int i = read; i < n; i++) {
        free.put(hand[i]);
      }
      wait = SpanEvent.start();
      if (read == 0 || !queue.putAll(hand, read)) {
        return false;
      }
      SpanEvent.write(wait, SpanEvent.HAND_OFF, read, 0);
      wait = SpanEvent.start();
      position += read;
    }
    meters.add(Stage.BLOCK, System.nanoTime() - start, 0, 0);
    return true;
  }

  /// Fills a hand's holders, unless the samples turn out large.
  ///
  /// @return how many were filled; 0 if the epoch was stopped
  private int fill(Fetcher fetcher, Fetched[] hand, int n, long position, long start)
      throws IOException {
    SpanEvent span = SpanEvent.start();
    long cpu = Cpu.ofThisThread();
    long bytes = 0;
    long largest = 0;
    int filled = 0;
    while (filled < n && bytes < HANDFUL) {
      Fetched fetched = hand[filled];
      fetched.position = position + filled;
      fetched.fault = null;
      try {
        if (!fetcher.fetch(fetched.position, fetched.sample)) {
          return 0;
        }
      } catch (IOException e) {
        fetched.fault = faultOf(e, fetched.sample.location());
      }
      bytes += fetched.sample.encodedBytes();
      largest = Math.max(largest, fetched.sample.block().memory().byteSize());
      filled++;
    }
    SpanEvent.write(span, SpanEvent.READ, filled, bytes);
    ahead.saw(largest);
    meters.add(Stage.READ, System.nanoTime() - start, Cpu.ofThisThread() - cpu, filled, bytes);
    long stored = fetcher.takeBytesRead();
    meters.stored(stored);
    bytesRead.addAndGet(stored);
    return filled;
  }

  @Override
  void stop() {
    super.stop();
    memory.stop();
  }

  @Override
  long bytesRead() {
    return bytesRead.get();
  }
}
