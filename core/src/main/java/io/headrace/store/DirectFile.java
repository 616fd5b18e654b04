package io.headrace.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A file read with `O_DIRECT`: positions, lengths and memory are multiples of the block size, so
/// bytes pass through an aligned buffer.
final class DirectFile implements ByteFile {
  private final Path path;
  private final FileChannel channel;
  private final long size;
  private final int alignment;
  private final DirectStore store;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable LocalFile instead;

  DirectFile(Path path, FileChannel channel, long size, int alignment, DirectStore store) {
    this.path = path;
    this.channel = channel;
    this.size = size;
    this.alignment = alignment;
    this.store = store;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void read(long position, MemorySegment into) throws IOException {
    LocalFile other = instead;
    if (other != null) {
      other.read(position, into);
      return;
    }
    MemorySegment buffer = store.borrow();
    try {
      long done = 0;
      while (done < into.byteSize()) {
        done += readPart(position + done, into, done, buffer);
      }
    } catch (RefusedException e) {
      fallBack(e).read(position, into);
    } finally {
      store.giveBack(buffer);
    }
  }

  /// {@return bytes copied to `into`, at least 1}
  private long readPart(long position, MemorySegment into, long done, MemorySegment buffer)
      throws IOException {
    long start = position / alignment * alignment;
    int skip = (int) (position - start);
    long wanted = Math.min(into.byteSize() - done, buffer.byteSize() - skip);
    long rounded = (skip + wanted + alignment - 1) / alignment * alignment;
    ByteBuffer part = buffer.asSlice(0, rounded).asByteBuffer();
    int n;
    try {
      n = channel.read(part, start);
    } catch (IOException e) {
      if (channel.isOpen() && "Invalid argument".equals(e.getMessage())) {
        throw new RefusedException(e);
      }
      throw e;
    }
    long got = Math.min(wanted, n - skip);
    if (got <= 0) {
      throw LocalFile.endsEarly(path, Math.max(start, start + n), into.byteSize() - done);
    }
    MemorySegment.copy(buffer, skip, into, done, got);
    return got;
  }

  /// Some file systems take the flag and refuse the read.
  private LocalFile fallBack(RefusedException cause) throws IOException {
    store.refused(path, String.valueOf(cause.getMessage()));
    lock.lock();
    try {
      LocalFile other = instead;
      if (other == null) {
        other = LocalFile.open(path);
        instead = other;
      }
      return other;
    } finally {
      lock.unlock();
    }
  }

  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  @Override
  public boolean isOpen() {
    LocalFile other = instead;
    return channel.isOpen() && (other == null || other.isOpen());
  }

  @Override
  public void close() throws IOException {
    LocalFile other = instead;
    try (channel) {
      if (other != null) {
        other.close();
      }
    }
  }
}
