package io.headrace.format.tar;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// An archive read from a channel: small pieces through a buffer, large ones directly.
final class StreamBytes implements TarBytes, Closeable {
  private static final long MAX_READ = 1L << 30;

  /// Memory to reserve at once for bytes that a header merely promises.
  private static final long PROMISED = 1L << 20;

  private final ReadableByteChannel in;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final ByteBuffer buffer;
  private long position;

  /// @param in closed with this; a [StoreChannel] is an archive that is not compressed
  /// @param position of its first byte in the archive
  /// @param bufferBytes bytes to read ahead
  StreamBytes(ReadableByteChannel in, long position, long bufferBytes) {
    this.in = in;
    this.position = position;
    memory = arena.allocate(bufferBytes);
    buffer = memory.asByteBuffer().limit(0);
  }

  /// Goes to another place in an archive that is not compressed.
  void seek(long to) {
    if (!(in instanceof StoreChannel file)) {
      throw new IllegalStateException("compressed archives are read from their start");
    }
    file.position(to);
    position = to;
    buffer.limit(0);
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long take(MemorySegment into, long offset, long length) throws IOException {
    long done = 0;
    while (done < length) {
      if (buffer.hasRemaining()) {
        int n = (int) Math.min(buffer.remaining(), length - done);
        MemorySegment.copy(memory, buffer.position(), into, offset + done, n);
        buffer.position(buffer.position() + n);
        done += n;
        position += n;
      } else if (length - done >= buffer.capacity()) {
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

  @Override
  public long skip(long length) throws IOException {
    long done = 0;
    while (done < length) {
      if (buffer.hasRemaining()) {
        int n = (int) Math.min(buffer.remaining(), length - done);
        buffer.position(buffer.position() + n);
        done += n;
        position += n;
      } else if (in instanceof StoreChannel file) {
        long n = file.skip(length - done);
        position += n;
        return done + n;
      } else if (!refill()) {
        return done;
      }
    }
    return done;
  }

  @Override
  public long placeAt(long end) {
    return end;
  }

  /// Memory grows with the bytes that arrive, unless the size of the file vouches for them.
  @Override
  public long place(Block into, long end, long length) throws IOException, DecodeException {
    Block.requirePossible(end + length);
    boolean known =
        in instanceof StoreChannel file && length <= file.size() - Math.min(position, file.size());
    long done = 0;
    while (done < length) {
      long step = known ? length : Math.min(length - done, Math.max(PROMISED, done));
      MemorySegment room = into.ensureKeeping(end + done + step);
      long n = take(room, end + done, step);
      done += n;
      if (n < step) {
        break;
      }
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
    if (arena.scope().isAlive()) {
      try (arena) {
        in.close();
      }
    }
  }
}
