package io.headrace.load.cache;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.order.Permutation;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// A random subset, drawn by a seed before loading starts, and never evicted.
///
/// Each of its values is taken when first offered, if it fits; a value that does not fit leaves
/// room for smaller ones. Hits take no lock: a value that is replaced while it is copied out is
/// noticed afterwards, and counts as not held.
public final class MinIoCache extends PagedCache implements ByteCache {
  private static final long STREAM = 0x6d696e696fL;
  private static final int MISFIT = -1;

  private final long begin;
  private final long end;
  private final Permutation draw;

  /// Bytes of each value held; [#MISFIT] for one that did not fit: it never will, for nothing is
  /// evicted.
  private final int[] lengths;

  /// First page of each value plus 1; 0 if it is not held. Set last: a thread that sees it also
  /// sees the rest.
  private final AtomicIntegerArray firsts;

  /// Twice as often as each value was replaced; an odd number while it is being replaced.
  private final AtomicIntegerArray replaced;

  private volatile boolean anyReplaced;

  /// @param capacity in bytes
  /// @param values how many there are
  /// @param chosen size of the subset
  /// @param seed that draws it
  public MinIoCache(long capacity, int values, long chosen, long seed) {
    this(capacity, values, 0, chosen, seed);
  }

  /// The values that are drawn from one number to another, so that two caches have none in common.
  ///
  /// @param capacity in bytes
  /// @param values how many there are
  /// @param begin number drawn, from 0
  /// @param end one after the last
  /// @param seed that draws them
  public MinIoCache(long capacity, int values, long begin, long end, long seed) {
    super(capacity);
    this.begin = begin;
    this.end = end;
    draw = Permutation.of(values, seed, STREAM);
    lengths = new int[values];
    firsts = new AtomicIntegerArray(values);
    replaced = new AtomicIntegerArray(values);
  }

  /// {@return whether a value is of the subset}
  public boolean isChosen(long key) {
    long drawn = draw.at(key);
    return drawn >= begin && drawn < end;
  }

  @Override
  public boolean wants(long key) {
    return lengths[(int) key] == 0 && isChosen(key);
  }

  @Override
  public MemorySegment view(long key) {
    int first = firsts.getAcquire((int) key) - 1;
    return first < 0 || anyReplaced ? MemorySegment.NULL : pool.view(first, lengths[(int) key]);
  }

  @Override
  public long get(long key, Block into) throws DecodeException {
    int k = (int) key;
    int before = replaced.get(k);
    int first = firsts.getAcquire(k) - 1;
    if (first < 0 || (before & 1) != 0) {
      return -1;
    }
    int length = lengths[k];
    copy(first, length, into);
    VarHandle.acquireFence(); // the copy is done before this is asked
    return replaced.get(k) == before ? length : -1;
  }

  @Override
  public boolean put(long key, MemorySegment value) {
    int k = (int) key;
    if (!isChosen(key) || value.byteSize() > Integer.MAX_VALUE) {
      return false;
    }
    int length = (int) value.byteSize();
    int first;
    lock.lock();
    try {
      if (lengths[k] != 0) {
        return lengths[k] != MISFIT;
      }
      first = pool.lend(length);
      lengths[k] = first == PagePool.NONE ? MISFIT : length;
      if (first == PagePool.NONE) {
        return false;
      }
      held++;
    } finally {
      lock.unlock();
    }
    pool.write(first, value);
    firsts.setRelease(k, first + 1);
    return true;
  }

  @Override
  public boolean replace(long key, MemorySegment value) {
    int k = (int) key;
    if (firsts.getAcquire(k) == 0) {
      return put(key, value);
    }
    lock.lock();
    try {
      int first = firsts.get(k) - 1;
      if (value.byteSize() > Integer.MAX_VALUE || !pool.fitsInPlaceOf(first, value.byteSize())) {
        return false;
      }
      anyReplaced = true;
      replaced.incrementAndGet(k);
      firsts.set(k, 0);
      pool.takeBack(first);
      first = pool.lend(value.byteSize());
      lengths[k] = (int) value.byteSize();
      pool.write(first, value);
      replaced.incrementAndGet(k);
      firsts.setRelease(k, first + 1);
      return true;
    } finally {
      lock.unlock();
    }
  }
}
