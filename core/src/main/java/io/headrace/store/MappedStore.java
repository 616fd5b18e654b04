package io.headrace.store;

import io.headrace.error.CorruptDataException;
import io.headrace.memory.Block;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The local file system, mapped into memory. Reading copies out of the mapping, without a call to
/// the system where the page cache has the bytes.
///
/// Opening maps and closing unmaps the whole file, some ten microseconds: for shards, not for
/// folders of small files.
public final class MappedStore implements Store {
  /// The store.
  public MappedStore() {}

  @Override
  @SuppressWarnings("MustBeClosedChecker") // the file owns it
  public ByteFile open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    Arena arena = Arena.ofShared();
    try {
      long size = channel.size();
      MemorySegment bytes =
          size == 0
              ? MemorySegment.NULL
              : channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
      return new MappedFile(path, channel, arena, bytes);
    } catch (IOException | RuntimeException e) {
      arena.close();
      channel.close();
      throw e;
    }
  }

  /// A mapped file of any size.
  ///
  /// A file that others shorten while it is mapped loses pages, and touching one raises SIGBUS,
  /// which the JVM turns into an [InternalError], perhaps a moment late. So the size is asked for
  /// after each copy, which also waits for the error; the error becomes a fault of the file. Bytes
  /// beyond the smallest size seen are not touched again.
  static final class MappedFile extends ChannelFile {
    private final Arena arena;
    private final MemorySegment bytes;

    /// The smallest size of the file that any thread has seen.
    private volatile long seen;

    private boolean closed;

    private MappedFile(Path path, FileChannel channel, Arena arena, MemorySegment bytes) {
      super(path, channel, bytes.byteSize());
      this.arena = arena;
      this.bytes = bytes;
      seen = bytes.byteSize();
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
      read(position, into, 0, into.byteSize());
    }

    @Override
    public void read(long position, Block into, long offset, long length) throws IOException {
      read(position, into.memory(), offset, length);
    }

    private void read(long position, MemorySegment into, long offset, long length)
        throws IOException {
      checkSize(position, length, seen);
      copy(position, into, offset, length);
    }

    /// Copies out of pages that may vanish at any time.
    void copy(long position, MemorySegment into, long offset, long length) throws IOException {
      try {
        MemorySegment.copy(bytes, position, into, offset, length);
        seen = Math.min(seen, channel.size());
        checkSize(position, length, seen);
      } catch (InternalError e) {
        long now = channel.size();
        seen = Math.min(seen, now);
        CorruptDataException shortened = endsEarly(now, position + length - now);
        shortened.addSuppressed(e);
        throw shortened;
      } catch (IllegalStateException e) {
        ClosedChannelException closed = new ClosedChannelException();
        closed.initCause(e);
        throw closed;
      }
    }

    private void checkSize(long position, long length, long size) throws CorruptDataException {
      if (length > size - position) {
        throw endsEarly(Math.max(position, size), Math.min(length, position + length - size));
      }
    }

    @Override
    public synchronized void close() throws IOException {
      if (!closed) { // the channel may be: an interrupted read closes it
        closed = true;
        channel.close();
        arena.close();
      }
    }
  }
}
