package io.headrace.format.tar.archive;

import io.headrace.error.DecodeException;
import io.headrace.format.shard.ByteSource;
import io.headrace.memory.Block;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ReadableByteChannel;

/// An archive read from a channel: small pieces through a buffer, large ones directly.
public final class StreamBytes implements TarBytes, Closeable {
  /// Memory to reserve at once for bytes that a header merely promises.
  private static final long PROMISED = 1L << 20;

  private final Arena arena = Arena.ofShared();
  private final ByteSource in;

  /// @param in closed with this; a [io.headrace.store.FileStream] if the archive is not compressed
  /// @param position of its first byte in the archive
  /// @param bufferBytes bytes to read ahead
  public StreamBytes(ReadableByteChannel in, long position, long bufferBytes) {
    this.in = new ByteSource(in, position, arena.allocate(bufferBytes), bufferBytes);
  }

  /// Goes to another place in an archive that is not compressed.
  public void seek(long to) {
    in.seek(to);
  }

  @Override
  public long position() {
    return in.position();
  }

  @Override
  public long take(MemorySegment into, long offset, long length) throws IOException {
    return in.take(into, offset, length);
  }

  @Override
  public long skip(long length) throws IOException {
    return in.skip(length);
  }

  @Override
  public long placeAt(long end) {
    return end;
  }

  /// Memory grows with the bytes that arrive, unless the size of the file vouches for them.
  @Override
  public long place(Block into, long end, long length) throws IOException, DecodeException {
    Block.requirePossible(end + length);
    boolean known = in.has(length);
    long done = 0;
    while (done < length) {
      long step = known ? length : Math.min(length - done, Math.max(PROMISED, done));
      MemorySegment room = into.ensureKeeping(end + done + step);
      long n = in.take(room, end + done, step);
      done += n;
      if (n < step) {
        break;
      }
    }
    return done;
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
