package io.headrace.store;

import io.headrace.error.CorruptDataException;
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

  /// {@return whether it can be read: closing ends that, and so may the interruption of a thread
  /// that reads}
  default boolean isOpen() {
    return true;
  }
}
