package io.headrace.store;

import io.headrace.error.CorruptDataException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A mapped file of any size.
///
/// A file that others shorten while it is mapped loses pages, and touching one raises SIGBUS, which
/// the JVM turns into an [InternalError], perhaps a moment late. So the size is asked for before a
/// copy and again after it, and the error becomes a fault of the file.
final class MappedFile implements ByteFile {
  private final Path path;
  private final FileChannel channel;
  private final Arena arena;
  private final MemorySegment bytes;

  private MappedFile(Path path, FileChannel channel, Arena arena, MemorySegment bytes) {
    this.path = path;
    this.channel = channel;
    this.arena = arena;
    this.bytes = bytes;
  }

  @SuppressWarnings("MustBeClosedChecker") // the file owns it: close() closes it
  static MappedFile open(Path path) throws IOException {
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

  @Override
  public Path path() {
    return path;
  }

  @Override
  public long size() {
    return bytes.byteSize();
  }

  @Override
  public void read(long position, MemorySegment into) throws IOException {
    checkSize(position, into.byteSize(), bytes.byteSize());
    checkSize(position, into.byteSize(), channel.size());
    copy(position, into);
  }

  /// Copies out of pages that may vanish at any time.
  void copy(long position, MemorySegment into) throws IOException {
    try {
      MemorySegment.copy(bytes, position, into, 0, into.byteSize());
      checkSize(position, into.byteSize(), channel.size());
    } catch (InternalError e) {
      long now = channel.size();
      CorruptDataException shortened =
          LocalFile.endsEarly(path, now, position + into.byteSize() - now);
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
      throw LocalFile.endsEarly(
          path, Math.max(position, size), Math.min(length, position + length - size));
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      channel.close();
      arena.close();
    }
  }
}
