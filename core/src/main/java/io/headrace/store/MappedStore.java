package io.headrace.store;

import java.io.IOException;
import java.nio.file.Path;

/// The local file system, mapped into memory. Reading copies out of the mapping, without a call to
/// the system where the page cache has the bytes.
///
/// Opening maps and closing unmaps the whole file, some ten microseconds: for shards, not for
/// folders of small files.
public final class MappedStore implements Store {
  /// The store.
  public MappedStore() {}

  @Override
  public ByteFile open(Path path) throws IOException {
    return MappedFile.open(path);
  }
}
