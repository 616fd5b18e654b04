package io.headrace.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/// Another store without the help of the page cache: a file's pages are dropped when it is opened,
/// and those that a read brought in are dropped again after it.
///
/// So every byte comes from the device, each time it is asked for; what the system prefetches by
/// itself is still found. Nothing of other files is dropped.
public final class ColdStore implements Store {
  private final Store below;

  /// @param below the store that reads
  /// @throws UnsupportedOperationException unless [PageCache#supported]
  public ColdStore(Store below) {
    if (!PageCache.supported()) {
      throw new UnsupportedOperationException("dropping pages from the cache needs Linux");
    }
    this.below = below;
  }

  @Override
  public ByteFile open(Path path) throws IOException {
    ByteFile file = below.open(path);
    try {
      int descriptor = PageCache.descriptor(path);
      PageCache.drop(descriptor);
      return new ColdFile(file, descriptor);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public List<String> warnings() {
    return below.warnings();
  }

  private static final class ColdFile implements ByteFile {
    private final ByteFile file;
    private final int descriptor;
    private boolean closed;

    ColdFile(ByteFile file, int descriptor) {
      this.file = file;
      this.descriptor = descriptor;
    }

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
      file.read(position, into);
      PageCache.drop(descriptor, position, into.byteSize());
    }

    @Override
    public boolean isOpen() {
      return file.isOpen();
    }

    @Override
    public synchronized void close() throws IOException {
      if (!closed) {
        closed = true;
        PageCache.closeDescriptor(descriptor);
        file.close();
      }
    }
  }
}
