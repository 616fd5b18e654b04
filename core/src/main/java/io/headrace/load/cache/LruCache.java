package io.headrace.load.cache;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// The values used last. A new one takes the place of those that were not used for longest.
///
/// The lock is held to find and reorder, not to copy: a value that is evicted while it is copied
/// out is noticed afterwards, and counts as not held.
public final class LruCache extends PagedCache implements ByteCache {
  private static final int NONE = -1;

  private final int[] firsts;
  private final int[] lengths;

  /// How often each value was evicted.
  private final AtomicIntegerArray evictions;

  /// Neighbours in the order of use.
  private final int[] older;

  private final int[] newer;
  private int oldest = NONE;
  private int newest = NONE;

  /// @param capacity in bytes
  /// @param values how many there are
  public LruCache(long capacity, int values) {
    super(capacity);
    firsts = new int[values];
    Arrays.fill(firsts, NONE);
    lengths = new int[values];
    evictions = new AtomicIntegerArray(values);
    older = new int[values];
    newer = new int[values];
  }

  @Override
  public long get(long key, Block into) throws DecodeException {
    int k = (int) key;
    int first;
    int length;
    int before;
    lock.lock();
    try {
      first = firsts[k];
      if (first == NONE) {
        return -1;
      }
      unlink(k);
      linkNewest(k);
      length = lengths[k];
      before = evictions.get(k);
    } finally {
      lock.unlock();
    }
    copy(first, length, into);
    VarHandle.acquireFence(); // the copy is done before this is asked
    return evictions.get(k) == before ? length : -1;
  }

  @Override
  public boolean put(long key, MemorySegment value) {
    int k = (int) key;
    long length = value.byteSize();
    if (length > Integer.MAX_VALUE || pool.pagesFor(length) > pool.pages()) {
      return false;
    }
    int first;
    lock.lock();
    try {
      if (firsts[k] != NONE) {
        return true;
      }
      first = pool.lend(length);
      while (first == PagePool.NONE && oldest != NONE) {
        evict(oldest);
        first = pool.lend(length);
      }
      if (first == PagePool.NONE) {
        return false; // others are just being filled
      }
    } finally {
      lock.unlock();
    }
    pool.write(first, value);
    lock.lock();
    try {
      if (firsts[k] != NONE) {
        pool.takeBack(first);
        return true;
      }
      firsts[k] = first;
      lengths[k] = (int) length;
      linkNewest(k);
      held++;
    } finally {
      lock.unlock();
    }
    return true;
  }

  @Override
  public boolean replace(long key, MemorySegment value) {
    if (value.byteSize() > Integer.MAX_VALUE || pool.pagesFor(value.byteSize()) > pool.pages()) {
      return false;
    }
    lock.lock();
    try {
      if (firsts[(int) key] != NONE) {
        evict((int) key);
      }
    } finally {
      lock.unlock();
    }
    return put(key, value);
  }

  private void evict(int k) {
    unlink(k);
    int _ = evictions.incrementAndGet(k); // before others may write to its pages
    pool.takeBack(firsts[k]);
    firsts[k] = NONE;
    held--;
  }

  private void unlink(int k) {
    if (older[k] == NONE) {
      oldest = newer[k];
    } else {
      newer[older[k]] = newer[k];
    }
    if (newer[k] == NONE) {
      newest = older[k];
    } else {
      older[newer[k]] = older[k];
    }
  }

  private void linkNewest(int k) {
    older[k] = newest;
    newer[k] = NONE;
    if (newest == NONE) {
      oldest = k;
    } else {
      newer[newest] = k;
    }
    newest = k;
  }
}
