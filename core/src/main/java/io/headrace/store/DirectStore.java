package io.headrace.store;

import io.headrace.store.disk.DirectOption;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The local file system, read past the page cache (`O_DIRECT`), so that memory is left to caches
/// that know the order of reads.
///
/// Where a file system refuses, files are read through the page cache, and [#warnings] says so. A
/// store keeps as many buffers of 1 MiB as threads ever read through it at once, at most 64; they
/// are freed with it.
public final class DirectStore implements Store {
  private static final int BUFFER = 1 << 20;
  private static final int KEPT = 64;

  private final ConcurrentLinkedQueue<MemorySegment> buffers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger kept = new AtomicInteger();
  private final List<String> warnings = new ArrayList<>();

  /// A store without buffers yet.
  public DirectStore() {}

  @Override
  public ByteFile open(Path path) throws IOException {
    FileChannel channel = openDirect(path);
    if (channel == null) {
      return LocalFile.open(path);
    }
    try {
      int alignment = Math.toIntExact(Math.max(512, Files.getFileStore(path).getBlockSize()));
      if (alignment <= BUFFER && BUFFER % alignment == 0) {
        return new DirectFile(path, channel, channel.size(), alignment);
      }
      refused(path, "blocks of %d bytes".formatted(alignment));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    channel.close();
    return LocalFile.open(path);
  }

  private @Nullable FileChannel openDirect(Path path) throws IOException {
    try {
      return FileChannel.open(path, StandardOpenOption.READ, DirectOption.get());
    } catch (UnsupportedOperationException e) {
      refused(path, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      if (!Files.isReadable(path)) {
        throw e;
      }
      refused(path, String.valueOf(e.getMessage())); // EINVAL, from a file system without O_DIRECT
    }
    return null;
  }

  /// Notes, once a store, that direct reads do not work.
  private synchronized void refused(Path path, String reason) {
    if (warnings.isEmpty()) {
      warnings.add(
          "%s: direct reads are refused (%s): read through the page cache".formatted(path, reason));
    }
  }

  @Override
  public synchronized List<String> warnings() {
    return List.copyOf(warnings);
  }

  /// {@return a buffer of [#BUFFER] bytes, aligned for any block size up to that}
  private MemorySegment borrow() {
    MemorySegment buffer = buffers.poll();
    if (buffer != null) {
      kept.decrementAndGet();
      return buffer;
    }
    return Arena.ofAuto().allocate(BUFFER, BUFFER); // lives as long as the store that keeps it
  }

  private void giveBack(MemorySegment buffer) {
    if (kept.incrementAndGet() <= KEPT) {
      buffers.add(buffer);
    } else {
      kept.decrementAndGet();
    }
  }

  /// A file read with `O_DIRECT`: positions, lengths and memory are multiples of the block size, so
  /// bytes pass through an aligned buffer.
  private final class DirectFile extends ChannelFile {
    private final int alignment;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable LocalFile instead;

    DirectFile(Path path, FileChannel channel, long size, int alignment) {
      super(path, channel, size);
      this.alignment = alignment;
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
      LocalFile other = instead;
      if (other != null) {
        other.read(position, into);
        return;
      }
      MemorySegment buffer = borrow();
      try {
        long done = 0;
        while (done < into.byteSize()) {
          done += readPart(position + done, into, done, buffer);
        }
      } catch (RefusedException e) {
        fallBack(e).read(position, into);
      } finally {
        giveBack(buffer);
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
        throw endsEarly(Math.max(start, start + n), into.byteSize() - done);
      }
      MemorySegment.copy(buffer, skip, into, done, got);
      return got;
    }

    /// Some file systems take the flag and refuse the read.
    private LocalFile fallBack(RefusedException cause) throws IOException {
      refused(path(), String.valueOf(cause.getMessage()));
      lock.lock();
      try {
        LocalFile other = instead;
        if (other == null) {
          other = LocalFile.open(path());
          instead = other;
        }
        return other;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public boolean isOpen() {
      LocalFile other = instead;
      return super.isOpen() && (other == null || other.isOpen());
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

  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }
}
