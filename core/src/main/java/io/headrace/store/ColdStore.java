package io.headrace.store;

import io.headrace.store.disk.PageCache;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Another store without the help of the page cache: a file's pages are dropped when it is opened,
/// and those that a read brought in are dropped again after it.
///
/// So every byte comes from the device, each time it is asked for; what the system prefetches by
/// itself is still found. Nothing of other files is dropped.
public final class ColdStore extends FilterStore {
  /// @param below the store that reads
  /// @throws UnsupportedOperationException unless [PageCache#supported]
  public ColdStore(Store below) {
    super(below);
    if (!PageCache.supported()) {
      throw new UnsupportedOperationException("dropping pages from the cache needs Linux");
    }
  }

  @Override
  protected ByteFile filter(ByteFile file) throws IOException {
    int descriptor = PageCache.descriptor(file.path());
    PageCache.drop(descriptor);
    return new ColdFile(file, descriptor);
  }

  private static final class ColdFile extends FilterFile {
    private final int descriptor;
    private boolean closed;

    ColdFile(ByteFile file, int descriptor) {
      super(file);
      this.descriptor = descriptor;
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
      super.read(position, into);
      PageCache.drop(descriptor, position, into.byteSize());
    }

    @Override
    public synchronized void close() throws IOException {
      if (!closed) {
        closed = true;
        PageCache.closeDescriptor(descriptor);
        super.close();
      }
    }
  }
}
