package io.headrace.lab.machine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// How fast memory is when all processors copy at one time.
public final class MemoryProbe {
  /// Bytes in all, more than caches hold.
  private static final long BYTES = 256L << 20;

  private static final int PASSES = 4;

  private MemoryProbe() {}

  /// {@return bytes that are read or written a second, all threads together; the best of a few
  /// passes}
  ///
  /// @param threads that copy
  public static double bytesPerSecond(int threads) {
    try (Arena arena = Arena.ofShared();
        var pool = Executors.newFixedThreadPool(threads)) {
      long half = Math.max(1 << 20, BYTES / threads / 2);
      MemorySegment all = arena.allocate(2 * half * threads, 4096);
      double best = 0;
      for (int pass = 0; pass < PASSES; pass++) {
        long start = System.nanoTime();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          MemorySegment own = all.asSlice(2 * half * i, 2 * half);
          running.add(pool.submit(() -> own.asSlice(half).copyFrom(own.asSlice(0, half))));
        }
        for (Future<?> one : running) {
          one.get();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        best = Math.max(best, 2.0 * half * threads / seconds);
      }
      return best;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Double.POSITIVE_INFINITY; // not known
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
