package io.headrace.interop.pcr;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A temporary file that takes bytes and then gives them back once; it is gone when closed.
final class Spool implements Closeable {
  private static final int BUFFER = 64 << 10;

  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private long size;

  Spool(Path path) throws IOException {
    channel =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /// {@return bytes taken}
  long size() {
    return size;
  }

  void write(MemorySegment bytes) throws IOException {
    long length = bytes.byteSize();
    for (long done = 0; done < length; ) {
      int part = (int) Math.min(buffer.remaining(), length - done);
      MemorySegment.copy(bytes, done, MemorySegment.ofBuffer(buffer), 0, part);
      buffer.position(buffer.position() + part);
      done += part;
      if (!buffer.hasRemaining()) {
        flush();
      }
    }
    size += length;
  }

  private void flush() throws IOException {
    buffer.flip();
    while (buffer.hasRemaining()) {
      int _ = channel.write(buffer);
    }
    buffer.clear();
  }

  void copyTo(WritableByteChannel target) throws IOException {
    flush();
    channel.position(0);
    while (channel.read(buffer) >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        int _ = target.write(buffer);
      }
      buffer.clear();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
