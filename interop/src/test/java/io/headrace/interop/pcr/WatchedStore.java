package io.headrace.interop.pcr;

import io.headrace.store.ByteFile;
import io.headrace.store.FilterStore;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// A local store that knows how far each file was read.
final class WatchedStore extends FilterStore {
  private final Map<String, Long> farthest = new HashMap<>();

  WatchedStore() {
    super(Store.LOCAL);
  }

  /// {@return the end of the farthest byte that was read of a file, in bytes}
  long farthest(String name) {
    return farthest.getOrDefault(name, 0L);
  }

  @Override
  protected ByteFile filter(ByteFile file) {
    String name = String.valueOf(file.path().getFileName());
    return new FilterFile(file) {
      @Override
      public void read(long position, MemorySegment into) throws IOException {
        farthest.merge(name, position + into.byteSize(), Math::max);
        super.read(position, into);
      }
    };
  }
}
