package io.headrace.store;

import java.io.IOException;
import java.nio.file.Path;

/// Where files lie, and how they are read. Thread-safe.
public interface Store {
  /// The local file system, read through the page cache.
  Store LOCAL = LocalFile::open;

  /// {@return a file, open for reading}
  ///
  /// @throws java.nio.file.NoSuchFileException if there is none
  ByteFile open(Path path) throws IOException;
}
