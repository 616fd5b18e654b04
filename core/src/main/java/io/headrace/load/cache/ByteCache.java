package io.headrace.load.cache;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Values by number, in a fixed number of off-heap bytes that is never exceeded. The caller decides
/// what a value is: an encoded sample, or a decoded one. Thread-safe, but for closing.
public sealed interface ByteCache extends AutoCloseable permits LruCache, MinIoCache, RegionCache {
  /// Copies a value to the start of `into`.
  ///
  /// @param key from 0, below the number of values the cache was made for
  /// @return its bytes, or -1 if it is not held
  /// @throws DecodeException if the memory budget of `into` does not allow it
  long get(long key, Block into) throws DecodeException;

  /// {@return a value where it is, valid until the cache is closed; empty if it is not held, or not
  ///     in one piece, or may have to give way to others}
  default MemorySegment view(long key) {
    return MemorySegment.NULL;
  }

  /// {@return whether it may be worth offering a value}
  ///
  /// @param key as in [#get]
  default boolean wants(long key) {
    return true;
  }

  /// Offers a value.
  ///
  /// @return whether one is held now: the one offered, unless there was one already
  boolean put(long key, MemorySegment value);

  /// Offers a value in the place of the one that is held.
  ///
  /// @return whether the one offered is held now; if not, the other may be
  boolean replace(long key, MemorySegment value);

  /// {@return number of values held}
  long held();

  /// {@return bytes taken, parts of pages included}
  long usedBytes();

  /// {@return bytes it may take}
  long capacity();

  @Override
  void close();
}
