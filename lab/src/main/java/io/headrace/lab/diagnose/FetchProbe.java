package io.headrace.lab.diagnose;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.order.EpochOrder;
import io.headrace.store.Ticker;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/// Reads samples as a loader's readers do, and does nothing with them: the rate at which a store
/// gives them.
///
/// @param data opened through the store
/// @param end by the ticker, when no more is read
/// @param next position that nobody reads yet
/// @param fetched samples so far
record FetchProbe(
    Dataset data, Trial trial, Ticker ticker, long end, AtomicLong next, AtomicLong fetched) {
  /// {@return samples a second}
  ///
  /// @param data opened through the store
  /// @param seconds to read for; whole reads are completed
  static double rate(Dataset data, Trial trial, Ticker ticker, double seconds)
      throws IOException, InterruptedException {
    long start = ticker.nanos();
    var probe =
        new FetchProbe(
            data,
            trial,
            ticker,
            start + (long) (seconds * 1e9),
            new AtomicLong(),
            new AtomicLong());
    int readers = trial.number(Key.READERS);
    try (var pool = Executors.newFixedThreadPool(readers)) {
      Callable<Void> reading =
          () -> {
            probe.read();
            return null;
          };
      for (Future<?> one : pool.invokeAll(Collections.nCopies(readers, reading))) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    }
    return probe.fetched.get() / ((ticker.nanos() - start) / 1e9);
  }

  private boolean goesOn() {
    return ticker.nanos() < end;
  }

  private void read() throws IOException {
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      if (data.indexed() && trial.loading().shuffle()) {
        readInOrder(sample);
      } else {
        readShards(sample);
      }
    }
  }

  private void readInOrder(Sample sample) throws IOException {
    long size = data.size();
    try (Dataset.SampleReader reader = data.openReader()) {
      do {
        long position = next.getAndIncrement();
        long epoch = position / size;
        var order = new EpochOrder(size, true, trial.loading().seed(), epoch, 0, 1);
        try {
          reader.read(order.sampleAt(position % size), sample);
        } catch (CorruptDataException e) {
          continue; // loading says what is wrong
        }
        fetched.incrementAndGet();
      } while (goesOn());
    }
  }

  private void readShards(Sample sample) throws IOException {
    do {
      int shard = (int) (next.getAndIncrement() % data.shards().size());
      try (Dataset.SampleCursor cursor = data.openCursor(shard)) {
        boolean more = true;
        while (more && goesOn()) {
          try {
            more = cursor.next(sample);
            fetched.addAndGet(more ? 1 : 0);
          } catch (CorruptDataException e) {
            more = cursor.resumable();
          }
        }
      }
    } while (goesOn());
  }
}
