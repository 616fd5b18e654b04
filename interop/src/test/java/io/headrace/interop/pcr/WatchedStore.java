package io.headrace.interop.pcr;

import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// A local store that knows how far each file was read.
final class WatchedStore implements Store {
  private final Map<String, Long> farthest = new HashMap<>();

  /// {@return the end of the farthest byte that was read of a file, in bytes}
  long farthest(String name) {
    return farthest.getOrDefault(name, 0L);
  }

  @Override
  public ByteFile open(Path path) throws IOException {
    ByteFile file = Store.LOCAL.open(path);
    return new ByteFile() {
      @Override
      public Path path() {
        return file.path();
      }

      @Override
      public long size() {
        return file.size();
      }

      @Override
      public void read(long position, MemorySegment into) throws IOException {
        farthest.merge(String.valueOf(path.getFileName()), position + into.byteSize(), Math::max);
        file.read(position, into);
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }
}
