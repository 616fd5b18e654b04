package io.headrace.store;

import io.headrace.memory.Block;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file of the local file system, read through the page cache.
public final class LocalFile extends ChannelFile {
  private static final long CHUNK = 1L << 30;

  private LocalFile(Path path, FileChannel channel, long size) {
    super(path, channel, size);
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
  public void read(long position, MemorySegment into) throws IOException {
    long done = 0;
    while (done < into.byteSize()) {
      ByteBuffer part = into.asSlice(done, Math.min(CHUNK, into.byteSize() - done)).asByteBuffer();
      int n = channel.read(part, position + done);
      if (n < 0) {
        throw endsEarly(position + done, into.byteSize() - done);
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
        throw endsEarly(at, buffer.remaining());
      }
    }
  }
}
