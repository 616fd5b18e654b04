package io.headrace.store;

import io.headrace.error.CorruptDataException;
import io.headrace.memory.Block;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// A file whose bytes are read at positions into off-heap memory. Any number of threads may read at
/// once.
public interface ByteFile extends Closeable {
  /// {@return the path it was opened by}
  Path path();

  /// {@return its size in bytes, when it was opened}
  long size();

  /// Fills `into` with the bytes from `position` on.
  ///
  /// @throws CorruptDataException with [Fault#TRUNCATED] if the file ends before `into` is full
  void read(long position, MemorySegment into) throws IOException;

  /// Fills part of a block with the bytes from `position` on. Where it can it allocates nothing.
  ///
  /// @param into holds at least `offset + length` bytes
  /// @param offset of the first byte to fill
  /// @param length bytes to fill
  /// @throws CorruptDataException as [#read(long, MemorySegment)]
  default void read(long position, Block into, long offset, long length) throws IOException {
    read(position, into.memory().asSlice(offset, length));
  }

  /// {@return whether it can be read: closing ends that, and so may the interruption of a thread
  /// that reads}
  default boolean isOpen() {
    return true;
  }
}
