package io.headrace.codec.stream;

import io.headrace.codec.stream.coder.Encoder;
import io.headrace.codec.stream.coder.Encoder.Step;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;

/// Collects small writes, compresses, collects the result. Buffers as TensorFlow's
/// `ZlibOutputBuffer` does (`tsl/lib/io/zlib_outputbuffer.cc`), so that equal libraries write equal
/// bytes.
final class EncodingChannel implements CompressedOutput {
  /// Below this much room zlib would repeat flush markers; zlib.h at `deflate`.
  private static final int FLUSH_ROOM = 6;

  private final WritableByteChannel below;
  private final Encoder encoder;
  private final Step whenFull;
  private final Arena arena = Arena.ofShared();
  private final ByteBuffer in;
  private final ByteBuffer out;
  private boolean open = true;
  private boolean broken;

  EncodingChannel(WritableByteChannel below, Encoder encoder, Buffering buffering) {
    this.below = below;
    this.encoder = encoder;
    whenFull = step(buffering.whenFull());
    in = arena.allocate(buffering.inputBytes()).asByteBuffer();
    out = arena.allocate(buffering.outputBytes()).asByteBuffer();
  }

  @Override
  public int write(ByteBuffer src) throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
    int bytes = src.remaining();
    if (bytes > in.remaining()) {
      encodeBuffered(whenFull);
      if (bytes > in.capacity() && src.isDirect()) {
        encode(src, whenFull);
        return bytes;
      }
      while (src.remaining() > in.capacity()) {
        int limit = src.limit();
        in.put(src.limit(src.position() + in.capacity()));
        src.limit(limit);
        encodeBuffered(whenFull);
      }
    }
    in.put(src);
    return bytes;
  }

  @Override
  public void flush(FlushMode mode) throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
    if (mode != FlushMode.NONE) {
      encodeBuffered(step(mode));
      drain();
    }
  }

  private static Step step(FlushMode mode) {
    return switch (mode) {
      case NONE -> Step.CONTINUE;
      case PARTIAL -> Step.PARTIAL;
      case SYNC -> Step.SYNC;
      case FULL -> Step.FULL;
    };
  }

  private void encodeBuffered(Step step) throws IOException {
    encode(in.flip(), step);
    in.clear();
  }

  private void encode(ByteBuffer bytes, Step step) throws IOException {
    boolean wasBroken = broken;
    broken = true; // until this went well
    boolean done;
    do {
      if (out.remaining() < (step == Step.CONTINUE || step == Step.FINISH ? 1 : FLUSH_ROOM)) {
        drain();
      }
      done = encoder.encode(bytes, out, step);
    } while (!done);
    broken = wasBroken;
  }

  private void drain() throws IOException {
    out.flip();
    while (out.hasRemaining()) {
      int _ = below.write(out);
    }
    out.clear();
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
        arena;
        encoder) {
      if (!broken) { // a stream with a hole must not look finished
        encodeBuffered(Step.FINISH);
        drain();
      }
    }
  }
}
