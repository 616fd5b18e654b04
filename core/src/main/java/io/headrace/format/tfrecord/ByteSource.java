package io.headrace.format.tfrecord;

import io.headrace.store.FileStream;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// Takes exact numbers of bytes out of a channel: small ones through a buffer, large ones directly.
final class ByteSource implements Closeable {
  /// As many bytes as cost about as much to copy out of the buffer as to ask the channel for.
  static final int LARGE = 8 << 10;

  private static final long MAX_READ = 1L << 30;

  private final ReadableByteChannel in;
  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private long position;

  /// @param memory to read ahead into, at least 16 bytes; the caller's, and in use until the end
  ByteSource(ReadableByteChannel in, MemorySegment memory) {
    this.in = in;
    this.memory = memory;
    buffer = memory.asByteBuffer().limit(0);
  }

  /// {@return bytes taken so far}
  long position() {
    return position;
  }

  /// Copies the next `length` bytes to `into`.
  ///
  /// @return bytes copied: fewer only where the channel ends
  long take(MemorySegment into, long offset, long length) throws IOException {
    long done = 0;
    while (done < length) {
      if (buffer.hasRemaining()) {
        int n = (int) Math.min(buffer.remaining(), length - done);
        MemorySegment.copy(memory, buffer.position(), into, offset + done, n);
        buffer.position(buffer.position() + n);
        done += n;
        position += n;
      } else if (length - done >= Math.min(LARGE, buffer.capacity())) {
        long part = Math.min(MAX_READ, length - done);
        int n = in.read(into.asSlice(offset + done, part).asByteBuffer());
        if (n < 0) {
          return done;
        }
        done += n;
        position += n;
      } else if (!refill()) {
        return done;
      }
    }
    return done;
  }

  /// Copies bytes that come next, which stay where they are.
  ///
  /// @return bytes copied, as many as were read ahead; 0 only where the channel ends
  long peek(MemorySegment into, long offset, long length) throws IOException {
    int n = 0;
    if (buffer.hasRemaining() || refill()) {
      n = (int) Math.min(buffer.remaining(), length);
      MemorySegment.copy(memory, buffer.position(), into, offset, n);
    }
    return n;
  }

  /// {@return bytes passed over: fewer than `length` only where the channel ends}
  long skip(long length) throws IOException {
    long done = 0;
    while (done < length) {
      if (!buffer.hasRemaining()) {
        long far = in instanceof FileStream file ? file.skip(length - done) : 0;
        done += far;
        position += far;
        if (far > 0 || !refill()) {
          break;
        }
      }
      int n = (int) Math.min(buffer.remaining(), length - done);
      buffer.position(buffer.position() + n);
      done += n;
      position += n;
    }
    return done;
  }

  private boolean refill() throws IOException {
    buffer.clear();
    int n = 0;
    try {
      while (n == 0) {
        n = in.read(buffer);
      }
    } finally {
      buffer.flip();
    }
    return n > 0;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
