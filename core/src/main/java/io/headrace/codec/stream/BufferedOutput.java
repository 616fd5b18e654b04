package io.headrace.codec.stream;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;

/// Collects small writes and compresses nothing.
final class BufferedOutput implements CompressedOutput {
  private final WritableByteChannel below;
  private final Arena arena = Arena.ofShared();
  private final ByteBuffer buffer;
  private boolean open = true;
  private boolean broken;

  BufferedOutput(WritableByteChannel below, Buffering buffering) {
    this.below = below;
    buffer = arena.allocate(buffering.outputBytes()).asByteBuffer();
  }

  @Override
  public int write(ByteBuffer src) throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
    int bytes = src.remaining();
    if (bytes > buffer.remaining()) {
      drain();
      if (bytes > buffer.capacity()) {
        writeFully(src);
        return bytes;
      }
    }
    buffer.put(src);
    return bytes;
  }

  @Override
  public void flush(FlushMode mode) throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
    if (mode != FlushMode.NONE) {
      drain();
    }
  }

  private void drain() throws IOException {
    writeFully(buffer.flip());
    buffer.clear();
  }

  private void writeFully(ByteBuffer bytes) throws IOException {
    boolean wasBroken = broken;
    broken = true; // until this went well
    while (bytes.hasRemaining()) {
      int _ = below.write(bytes);
    }
    broken = wasBroken;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    try (below;
        arena) {
      if (!broken) {
        drain();
      }
    }
  }
}
