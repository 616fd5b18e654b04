package io.headrace.load.cache;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.order.Permutation;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicIntegerArray;

/// A random subset, drawn beforehand by a seed, and never evicted.
///
/// Each of its values is taken when first offered, if it fits; a value that does not fit leaves
/// room for smaller ones. Hits take no lock.
public final class MinIoCache extends PagedCache implements ByteCache {
  private static final long STREAM = 0x6d696e696fL;

  private final long chosen;
  private final Permutation draw;
  private final int[] lengths;

  /// First page of each value plus 1; 0 if it is not held. Set last, so that who sees it sees all.
  private final AtomicIntegerArray firsts;

  /// @param capacity in bytes
  /// @param values how many there are
  /// @param chosen size of the subset
  /// @param seed that draws it
  public MinIoCache(long capacity, int values, long chosen, long seed) {
    super(capacity);
    this.chosen = chosen;
    draw = Permutation.of(values, seed, STREAM);
    lengths = new int[values];
    firsts = new AtomicIntegerArray(values);
  }

  /// {@return whether a value is of the subset}
  public boolean isChosen(long key) {
    return draw.at(key) < chosen;
  }

  @Override
  public long get(long key, Block into) throws DecodeException {
    int first = firsts.getAcquire((int) key) - 1;
    if (first < 0) {
      return -1;
    }
    int length = lengths[(int) key];
    copy(first, length, into);
    return length;
  }

  @Override
  public boolean put(long key, MemorySegment value) {
    if (!isChosen(key) || value.byteSize() > Integer.MAX_VALUE) {
      return false;
    }
    int first;
    lock.lock();
    try {
      if (lengths[(int) key] != 0) {
        return true;
      }
      first = pool.lend(value.byteSize());
      if (first == PagePool.NONE) {
        return false;
      }
      lengths[(int) key] = (int) value.byteSize();
      held++;
    } finally {
      lock.unlock();
    }
    pool.write(first, value);
    firsts.setRelease((int) key, first + 1);
    return true;
  }
}
