package io.headrace.load.cache;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.function.IntPredicate;

/// The memory of the two-region order, which says when to load and when to drop a value. It evicts
/// nothing by itself. A value that does not fit is not held.
public final class RegionCache extends PagedCache implements ByteCache {
  private static final int NONE = -1;

  private final Condition settled = lock.newCondition();
  private final int[] firsts;
  private final int[] lengths;

  /// Whether loading was tried since [#begin].
  private final boolean[] tried;

  /// Whether somebody waits for it to be.
  private final boolean[] awaited;

  private boolean stopped;

  /// @param capacity in bytes
  /// @param values how many there are
  public RegionCache(long capacity, int values) {
    super(capacity);
    firsts = new int[values];
    Arrays.fill(firsts, NONE);
    lengths = new int[values];
    tried = new boolean[values];
    awaited = new boolean[values];
  }

  /// Begins an epoch.
  ///
  /// @param keep whether a value that is held from the epoch before belongs to this one
  public void begin(IntPredicate keep) {
    lock.lock();
    try {
      stopped = false;
      Arrays.fill(tried, false);
      Arrays.fill(awaited, false);
      for (int k = 0; k < firsts.length; k++) {
        if (firsts[k] != NONE && !keep.test(k)) {
          remove(k);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void remove(int k) {
    pool.takeBack(firsts[k]);
    firsts[k] = NONE;
    held--;
  }

  /// Drops a value, if it is held. Nobody else may be reading it.
  public void drop(long key) {
    lock.lock();
    try {
      if (firsts[(int) key] != NONE) {
        remove((int) key);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Waits until another thread has loaded a value in this epoch, or found that it cannot be held.
  ///
  /// @return false if [#stop] was called first
  public boolean awaitLoaded(long key) {
    lock.lock();
    try {
      while (!tried[(int) key] && !stopped) {
        awaited[(int) key] = true;
        settled.awaitUninterruptibly();
      }
      return !stopped;
    } finally {
      lock.unlock();
    }
  }

  /// Says that a value was loaded, or that it never will be.
  public void settle(long key) {
    lock.lock();
    try {
      tried[(int) key] = true;
      if (awaited[(int) key]) {
        settled.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /// Wakes everybody who waits, until the next [#begin].
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      settled.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long get(long key, Block into) throws DecodeException {
    int first;
    int length;
    lock.lock();
    try {
      first = firsts[(int) key];
      if (first == NONE) {
        return -1;
      }
      length = lengths[(int) key];
    } finally {
      lock.unlock();
    }
    copy(first, length, into);
    return length;
  }

  @Override
  public boolean put(long key, MemorySegment value) {
    int k = (int) key;
    if (value.byteSize() > Integer.MAX_VALUE) {
      return false;
    }
    int first;
    lock.lock();
    try {
      if (firsts[k] != NONE) {
        return true;
      }
      first = pool.lend(value.byteSize());
      if (first == PagePool.NONE) {
        return false;
      }
    } finally {
      lock.unlock();
    }
    pool.write(first, value);
    lock.lock();
    try {
      firsts[k] = first;
      lengths[k] = (int) value.byteSize();
      held++;
    } finally {
      lock.unlock();
    }
    return true;
  }

  @Override
  public boolean replace(long key, MemorySegment value) {
    lock.lock();
    try {
      int first = firsts[(int) key];
      if (first != NONE) {
        if (!pool.fitsInPlaceOf(first, value.byteSize())) {
          return false;
        }
        remove((int) key);
      }
    } finally {
      lock.unlock();
    }
    return put(key, value);
  }
}
