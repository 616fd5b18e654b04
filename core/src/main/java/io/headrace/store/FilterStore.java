package io.headrace.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/// Another store, with something done at every read.
public abstract class FilterStore implements Store {
  private final Store below;

  /// A filter.
  ///
  /// @param below the store that reads
  protected FilterStore(Store below) {
    this.below = below;
  }

  @Override
  public final ByteFile open(Path path) throws IOException {
    ByteFile file = below.open(path);
    try {
      return filter(file);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /// {@return a file of the store below, with something done at every read}
  ///
  /// @param file closed with what is returned, or if this throws
  protected abstract ByteFile filter(ByteFile file) throws IOException;

  @Override
  public final List<String> warnings() {
    return below.warnings();
  }

  /// Another file. What it does itself it does in [#read(long, MemorySegment)], through which
  /// blocks are read too.
  public abstract static class FilterFile implements ByteFile {
    private final ByteFile below;

    /// A filter.
    ///
    /// @param below the file that is read; closed with this
    protected FilterFile(ByteFile below) {
      this.below = below;
    }

    @Override
    public final Path path() {
      return below.path();
    }

    @Override
    public final long size() {
      return below.size();
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
      below.read(position, into);
    }

    @Override
    public final boolean isOpen() {
      return below.isOpen();
    }

    @Override
    public void close() throws IOException {
      below.close();
    }
  }
}
