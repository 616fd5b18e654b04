package io.headrace.load;

import io.headrace.format.Dataset;
import io.headrace.memory.MemoryBudget;
import io.headrace.meter.Meters;
import io.headrace.meter.Stage;
import io.headrace.order.EpochOrder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Supply from a dataset whose samples can be read one by one: readers claim positions in turn.
final class IndexedSupply extends Supply {
  private final Dataset dataset;
  private final EpochOrder order;
  private final Meters meters;
  private final int readers;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicInteger running;

  IndexedSupply(
      Dataset dataset,
      EpochOrder order,
      LoadOptions options,
      Assembly assembly,
      Arena arena,
      MemoryBudget budget,
      Meters meters,
      int queued) {
    super(assembly, arena, budget, queued + options.threads() + options.readers(), queued);
    this.dataset = dataset;
    this.order = order;
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
    try (Dataset.SampleReader reader = dataset.openReader()) {
      long count = order.count();
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
          reader.read(order.sampleAt(p), fetched.sample);
        } catch (IOException e) {
          fetched.fault = faultOf(e, fetched.sample.location());
        }
        meters.add(Stage.READ, System.nanoTime() - start, 1, fetched.sample.encodedBytes());
        bytesRead.addAndGet(fetched.sample.storedBytes());
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
  long bytesRead() {
    return bytesRead.get();
  }
}
