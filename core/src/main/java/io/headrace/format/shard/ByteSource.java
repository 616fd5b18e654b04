package io.headrace.format.shard;

import io.headrace.store.FileStream;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// Takes exact numbers of bytes out of a channel: small ones through a buffer, large ones directly.
/// Bytes of a [FileStream] that are passed over are not read.
public final class ByteSource implements Closeable {
  private static final long MAX_READ = 1L << 30;

  private final ReadableByteChannel in;
  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private final long large;
  private long position;

  /// A source.
  ///
  /// @param in closed with this
  /// @param position of its first byte
  /// @param memory to read ahead into, at least 16 bytes; the caller's, and in use until the end
  /// @param large how many bytes are read directly rather than through the memory
  public ByteSource(ReadableByteChannel in, long position, MemorySegment memory, long large) {
    this.in = in;
    this.position = position;
    this.memory = memory;
    this.large = Math.min(large, memory.byteSize());
    buffer = memory.asByteBuffer().limit(0);
  }

  /// {@return where the next byte lies}
  public long position() {
    return position;
  }

  /// Goes to another place in a file that is not compressed.
  ///
  /// @throws IllegalStateException if it is compressed
  public void seek(long to) {
    if (!(in instanceof FileStream file)) {
      throw new IllegalStateException("compressed files are read from their start");
    }
    file.seek(to);
    position = to;
    buffer.limit(0);
  }

  /// {@return whether a file that is not compressed has so many bytes from here on}
  public boolean has(long bytes) {
    return in instanceof FileStream file && bytes <= file.size() - Math.min(position, file.size());
  }

  /// Copies the next `length` bytes to `into`.
  ///
  /// @return bytes copied: fewer only where the channel ends
  public long take(MemorySegment into, long offset, long length) throws IOException {
    long done = 0;
    while (done < length) {
      if (buffer.hasRemaining()) {
        int n = (int) Math.min(buffer.remaining(), length - done);
        MemorySegment.copy(memory, buffer.position(), into, offset + done, n);
        done += pass(n);
      } else if (length - done >= large) {
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
  public long peek(MemorySegment into, long offset, long length) throws IOException {
    int n = 0;
    if (buffer.hasRemaining() || refill()) {
      n = (int) Math.min(buffer.remaining(), length);
      MemorySegment.copy(memory, buffer.position(), into, offset, n);
    }
    return n;
  }

  /// {@return bytes passed over: fewer than `length` only where the channel ends}
  public long skip(long length) throws IOException {
    long done = 0;
    while (done < length) {
      if (buffer.hasRemaining()) {
        done += pass((int) Math.min(buffer.remaining(), length - done));
      } else if (in instanceof FileStream file) {
        long n = file.skip(length - done);
        position += n;
        return done + n;
      } else if (!refill()) {
        return done;
      }
    }
    return done;
  }

  private int pass(int bytes) {
    buffer.position(buffer.position() + bytes);
    position += bytes;
    return bytes;
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
