package io.headrace.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Runs a waiting call for each of many items, some at a time, on virtual threads.
public final class Fanout {
  private static final int AT_ONCE = 16;

  private Fanout() {}

  /// One waiting call.
  ///
  /// @param <T> type of the items
  @FunctionalInterface
  public interface Call<T> {
    /// Does it.
    void on(T item) throws IOException;
  }

  /// Calls `call` with every item and returns when all are done.
  ///
  /// @throws IOException the first that a call threw, by the order of items
  public static <T> void each(List<T> items, Call<T> call) throws IOException {
    if (items.size() == 1) {
      call.on(items.getFirst());
      return;
    }
    List<Callable<Boolean>> tasks = new ArrayList<>(items.size());
    for (T item : items) {
      tasks.add(
          () -> {
            call.on(item);
            return true;
          });
    }
    try (var pool = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      for (Future<Boolean> done : pool.invokeAll(tasks)) {
        boolean _ = done.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case RuntimeException r -> throw r;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }
}
