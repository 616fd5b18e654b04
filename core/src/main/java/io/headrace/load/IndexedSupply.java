package io.headrace.load;

import io.headrace.memory.MemoryBudget;
import io.headrace.meter.Meters;
import io.headrace.meter.Stage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Supply from a dataset whose samples can be read one by one: readers claim positions in turn.
final class IndexedSupply extends Supply {
  private final SampleMemory memory;
  private final SampleMemory.FetcherSource fetchers;
  private final long count;
  private final Meters meters;
  private final int readers;
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
    super(assembly, arena, budget, queued + options.threads() + options.readers(), queued);
    this.memory = memory;
    fetchers = memory.fetchers(plan, fidelity);
    count = assembly.count();
    this.meters = meters;
    readers = options.readers();
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
      for (long p = next.getAndIncrement(); p < count; p = next.getAndIncrement()) {
        if (!assembly.awaitRoom(p)) {
          return;
        }
        Fetched fetched = free.take();
        if (fetched == null) {
          return;
        }
        fetched.position = p;
        fetched.fault = null;
        long start = System.nanoTime();
        try {
          if (!fetcher.fetch(p, fetched.sample)) {
            return;
          }
        } catch (IOException e) {
          fetched.fault = faultOf(e, fetched.sample.location());
        }
        meters.add(Stage.READ, System.nanoTime() - start, 1, fetched.sample.encodedBytes());
        bytesRead.addAndGet(fetcher.takeBytesRead());
        if (!queue.put(fetched)) {
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
