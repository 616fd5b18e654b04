package io.headrace.interop.parquet;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/// Ends a call to the library that waits for a dead worker. Without this it would hang when damaged
/// bytes made a worker run out of memory.
final class Watch {
  private static final int RUNNING = 0;
  private static final int DONE = 1;
  private static final int STALLED = 2;
  private static final long PERIOD_MILLIS = 250;
  private static final int QUIET_PERIODS = 12;

  private final ParquetInput input;
  private final ExecutorService workers;

  /// A call to the library.
  @FunctionalInterface
  interface Call {
    /// Does it.
    boolean run();
  }

  /// @param workers that decode for the library
  Watch(ParquetInput input, ExecutorService workers) {
    this.input = input;
    this.workers = workers;
  }

  /// {@return what the call returns}
  ///
  /// @throws IllegalStateException if for three seconds nothing was read and nothing decoded
  boolean call(Call call) {
    var state = new AtomicInteger(RUNNING);
    Thread caller = Thread.currentThread();
    Thread watcher = Thread.ofVirtual().start(() -> watch(state, caller));
    RuntimeException failed = null;
    boolean result = false;
    try {
      result = call.run();
    } catch (RuntimeException e) {
      failed = e;
    }
    if (state.compareAndSet(RUNNING, DONE)) {
      watcher.interrupt();
    } else {
      synchronized (state) { // until it has interrupted
        boolean _ = Thread.interrupted();
      }
      throw new IllegalStateException("its decoder died", failed);
    }
    if (failed != null) {
      throw failed;
    }
    return result;
  }

  private void watch(AtomicInteger state, Thread caller) {
    int quiet = 0;
    while (state.get() == RUNNING) {
      try {
        Thread.sleep(PERIOD_MILLIS);
      } catch (InterruptedException e) {
        return; // the call has returned
      }
      quiet = busy() ? 0 : quiet + 1;
      if (quiet >= QUIET_PERIODS) {
        synchronized (state) {
          if (state.compareAndSet(RUNNING, STALLED)) {
            caller.interrupt();
          }
        }
        return;
      }
    }
  }

  private boolean busy() {
    return input.reading()
        || (workers instanceof ThreadPoolExecutor pool
            && (pool.getActiveCount() > 0 || !pool.getQueue().isEmpty()));
  }
}
