package io.headrace.memory;

import java.util.concurrent.atomic.AtomicLong;

/// A bound on off-heap bytes shared by everything that was given it.
public final class MemoryBudget {
  private final long limit;
  private final AtomicLong reserved = new AtomicLong();
  private final AtomicLong peak = new AtomicLong();

  /// @param limit bytes that may be reserved at one time
  public MemoryBudget(long limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit " + limit + " is negative");
    }
    this.limit = limit;
  }

  /// {@return a budget without a bound}
  public static MemoryBudget unbounded() {
    return new MemoryBudget(Long.MAX_VALUE);
  }

  /// {@return whether `bytes` were free and are now reserved}
  public boolean tryReserve(long bytes) {
    while (true) {
      long now = reserved.get();
      if (bytes > limit - now) {
        return false;
      }
      if (reserved.compareAndSet(now, now + bytes)) {
        peak.accumulateAndGet(now + bytes, Math::max);
        return true;
      }
    }
  }

  /// Gives back what was reserved.
  public void release(long bytes) {
    reserved.addAndGet(-bytes);
  }

  /// {@return the bound, in bytes}
  public long limit() {
    return limit;
  }

  /// {@return bytes reserved now}
  public long reserved() {
    return reserved.get();
  }

  /// {@return the most bytes ever reserved at one time}
  public long peak() {
    return peak.get();
  }
}
