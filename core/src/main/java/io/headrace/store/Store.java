package io.headrace.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Where files lie, and how they are read. Thread-safe.
public interface Store {
  /// The local file system, read through the page cache.
  Store LOCAL = LocalFile::open;

  /// {@return a file, open for reading}
  ///
  /// @throws java.nio.file.NoSuchFileException if there is none
  ByteFile open(Path path) throws IOException;

  /// {@return what a user should know about how files are read: for instance that the file system
  /// refuses direct reads}
  default List<String> warnings() {
    return List.of();
  }
}
