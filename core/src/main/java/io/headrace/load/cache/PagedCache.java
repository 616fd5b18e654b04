package io.headrace.load.cache;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;

/// What all caches have: pages, and a lock under which they are lent and taken back.
abstract sealed class PagedCache permits LruCache, MinIoCache, RegionCache {
  final PagePool pool;
  final ReentrantLock lock = new ReentrantLock();

  /// Values held. Under the lock.
  long held;

  private final long capacity;

  PagedCache(long capacity) {
    this.capacity = capacity;
    pool = new PagePool(capacity);
  }

  /// Copies a value out of its pages.
  final void copy(int first, int length, Block into) throws DecodeException {
    MemorySegment memory = into.ensure(length);
    pool.read(first, memory.asSlice(0, length));
  }

  /// {@return number of values held}
  public final long held() {
    lock.lock();
    try {
      return held;
    } finally {
      lock.unlock();
    }
  }

  /// {@return bytes taken, parts of pages included}
  public final long usedBytes() {
    lock.lock();
    try {
      return pool.usedBytes();
    } finally {
      lock.unlock();
    }
  }

  /// {@return bytes it may take}
  public final long capacity() {
    return capacity;
  }

  /// Gives the pages back.
  public final void close() {
    pool.close();
  }
}
