package io.headrace.lab.codecs;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// Memory as channels.
final class ByteChannels {
  private ByteChannels() {}

  /// A channel that is always open.
  interface Open extends Channel {
    @Override
    default boolean isOpen() {
      return true;
    }

    @Override
    default void close() {}
  }

  /// Reads a segment from its start.
  static final class Source implements ReadableByteChannel, Open {
    private final ByteBuffer bytes;

    /// @param segment below 2 GiB
    Source(MemorySegment segment) {
      bytes = segment.asByteBuffer();
    }

    @Override
    public int read(ByteBuffer to) {
      int count = Math.min(bytes.remaining(), to.remaining());
      if (count == 0) {
        return to.hasRemaining() ? -1 : 0;
      }
      to.put(bytes.duplicate().limit(bytes.position() + count));
      bytes.position(bytes.position() + count);
      return count;
    }
  }

  /// Writes a block from its start.
  static final class Sink implements WritableByteChannel, Open {
    private final Block block;
    private long bytes;

    Sink(Block block) {
      this.block = block;
    }

    /// {@return bytes written}
    long bytes() {
      return bytes;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      int count = from.remaining();
      try {
        block
            .ensureKeeping(bytes + count)
            .asSlice(bytes, count)
            .copyFrom(MemorySegment.ofBuffer(from));
      } catch (DecodeException e) {
        throw new IOException(e.getMessage(), e);
      }
      from.position(from.limit());
      bytes += count;
      return count;
    }
  }
}
