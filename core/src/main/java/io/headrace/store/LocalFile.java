package io.headrace.store;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.memory.Block;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file of the local file system, read through the page cache.
public final class LocalFile implements ByteFile {
  private static final long CHUNK = 1L << 30;

  private final Path path;
  private final FileChannel channel;
  private final long size;

  private LocalFile(Path path, FileChannel channel, long size) {
    this.path = path;
    this.channel = channel;
    this.size = size;
  }

  /// {@return the file, open for reading; its size is taken now}
  public static LocalFile open(Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      return new LocalFile(path, channel, channel.size());
    } catch (IOException e) {
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
    return size;
  }

  @Override
  public void read(long position, MemorySegment into) throws IOException {
    long done = 0;
    while (done < into.byteSize()) {
      ByteBuffer part = into.asSlice(done, Math.min(CHUNK, into.byteSize() - done)).asByteBuffer();
      int n = channel.read(part, position + done);
      if (n < 0) {
        throw endsEarly(path, position + done, into.byteSize() - done);
      }
      done += n;
    }
  }

  @Override
  public void read(long position, Block into, long offset, long length) throws IOException {
    ByteBuffer buffer = into.buffer(offset, length);
    while (buffer.hasRemaining()) {
      long at = position + buffer.position() - offset;
      if (channel.read(buffer, at) < 0) {
        throw endsEarly(path, at, buffer.remaining());
      }
    }
  }

  /// {@return the fault of a file that ends before all bytes are read}
  ///
  /// @param position where it ends
  /// @param missing bytes that were to follow
  static CorruptDataException endsEarly(Path path, long position, long missing) {
    return new CorruptDataException(
        Fault.TRUNCATED,
        "file ends %d bytes early".formatted(missing),
        new Location(path.toString(), -1, null, position),
        null);
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
