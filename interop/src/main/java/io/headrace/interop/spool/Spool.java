package io.headrace.interop.spool;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A temporary file that takes bytes and then gives them back; it is gone when closed.
public final class Spool implements Closeable {
  private static final int BUFFER = 64 << 10;

  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
  private long size;

  /// Makes an empty one.
  public Spool(Path path) throws IOException {
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
  public long size() {
    return size;
  }

  /// Takes bytes behind those it has.
  public void write(MemorySegment bytes) throws IOException {
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

  /// Writes all of it.
  public void copyTo(WritableByteChannel target) throws IOException {
    copyTo(target, 0, size);
  }

  /// Writes some of it.
  ///
  /// @param from the first byte
  /// @param bytes how many, all of which it has
  public void copyTo(WritableByteChannel target, long from, long bytes) throws IOException {
    flush();
    for (long done = 0; done < bytes; ) {
      int part = (int) Math.min(buffer.capacity(), bytes - done);
      int read = channel.read(buffer.limit(part), from + done);
      if (read < 0) {
        throw new EOFException("a temporary file became shorter");
      }
      done += read;
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
