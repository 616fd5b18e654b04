package io.headrace.load.cache;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Values by number, in a fixed number of off-heap bytes that is never exceeded. What a value is
/// made of (an encoded sample, a decoded one) is the caller's affair. Thread-safe, but for closing.
public sealed interface ByteCache extends AutoCloseable permits LruCache, MinIoCache, RegionCache {
  /// Copies a value to the start of `into`.
  ///
  /// @param key from 0, below the number of values the cache was made for
  /// @return its bytes, or -1 if it is not held
  /// @throws DecodeException if the memory budget of `into` does not allow it
  long get(long key, Block into) throws DecodeException;

  /// Offers a value.
  ///
  /// @return whether it is held now
  boolean put(long key, MemorySegment value);

  /// {@return number of values held}
  long held();

  /// {@return bytes taken, parts of pages included}
  long usedBytes();

  /// {@return bytes it may take}
  long capacity();

  @Override
  void close();
}
