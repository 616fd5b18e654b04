package io.headrace.codec.stream;

import io.headrace.codec.stream.coder.Decoder;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.memory.BufferPool;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/// Decompresses a channel, stream after stream. What was decoded before a fault is handed out
/// first; then every read throws the fault.
final class DecodingChannel implements ReadableByteChannel {
  /// Bytes of the buffers that it needs, at least.
  static final int BUFFER = 256 << 10;

  private final ReadableByteChannel below;
  private final Decoder decoder;
  private final StreamKind kind;
  private final String file;
  private final BufferPool buffers;
  private final MemorySegment memory;
  private final ByteBuffer in;
  private @Nullable MemorySegment bounceMemory;
  private @Nullable ByteBuffer bounce;
  private boolean open = true;
  private boolean belowEnded;
  /// Between two streams, where the input may end.
  private boolean between = true;
  private long streams;
  private long compressed;
  private long plain;
  private @Nullable CorruptDataException fault;

  /// @param buffers lends memory until this is closed
  DecodingChannel(
      ReadableByteChannel below,
      Decoder decoder,
      StreamKind kind,
      String file,
      BufferPool buffers) {
    this.below = below;
    this.decoder = decoder;
    this.kind = kind;
    this.file = file;
    this.buffers = buffers;
    memory = buffers.take();
    in = memory.asSlice(0, BUFFER).asByteBuffer().limit(0);
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
    if (!dst.hasRemaining()) {
      return 0;
    }
    if (dst.isDirect()) {
      return decode(dst);
    }
    ByteBuffer direct = bounce;
    if (direct == null) {
      MemorySegment more = buffers.take();
      direct = more.asSlice(0, BUFFER).asByteBuffer();
      bounceMemory = more;
      bounce = direct;
    }
    direct.clear().limit(Math.min(BUFFER, dst.remaining()));
    int n = decode(direct);
    dst.put(direct.flip());
    return n;
  }

  private int decode(ByteBuffer out) throws IOException {
    if (fault != null) {
      throw fault;
    }
    int start = out.position();
    while (out.position() == start) {
      boolean more = in.hasRemaining() || refill();
      if (between) {
        if (!more) {
          return -1;
        }
        if (streams > 0 && !startNext()) {
          continue;
        }
        between = false;
      }
      step(out, start, more);
    }
    plain += out.position() - start;
    return out.position() - start;
  }

  /// One call of the library; a fault waits until the bytes before it are out.
  private void step(ByteBuffer out, int start, boolean more) throws CorruptDataException {
    CorruptDataException found = null;
    try {
      if (decoder.decode(in, out)) {
        between = true;
        streams++;
      } else if (!more && out.position() == start) {
        found = fault(Fault.TRUNCATED, kind.label() + " stream ends early", start, out);
      }
    } catch (DecodeException e) {
      found = fault(e.fault(), String.valueOf(e.getMessage()), start, out);
    }
    fault = found;
    if (found != null && out.position() == start) {
      throw found;
    }
  }

  /// Looks after the end of a stream.
  ///
  /// @return whether another stream may start here; else only padding was passed
  private boolean startNext() throws CorruptDataException {
    switch (kind) {
      case GZIP -> {
        while (in.hasRemaining() && in.get(in.position()) == 0) {
          in.get(); // zero padding to a block, as tape archives have and gzip ignores
        }
        if (!in.hasRemaining()) {
          return false;
        }
      }
      case ZSTD, LZ4, SNAPPY, LZOP -> {}
      case ZLIB, NONE, XZ, BZIP2, LZMA -> {
        fault = fault(Fault.CORRUPT, "bytes follow the end of the zlib stream", 0, null);
        throw fault;
      }
    }
    decoder.reset();
    return true;
  }

  private CorruptDataException fault(Fault kind, String what, int start, @Nullable ByteBuffer out) {
    long at = plain + (out == null ? 0 : out.position() - start);
    String text = "%s (at compressed byte %d)".formatted(what, compressed - in.remaining());
    return new CorruptDataException(kind, text, new Location(file, -1, null, at), null);
  }

  /// {@return whether there are compressed bytes now}
  private boolean refill() throws IOException {
    in.clear();
    int n = 0;
    while (n == 0 && !belowEnded) {
      n = below.read(in);
      belowEnded = n < 0;
    }
    in.flip();
    compressed += Math.max(0, n);
    return n > 0;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    if (open) {
      open = false;
      MemorySegment more = bounceMemory;
      if (more != null) {
        buffers.giveBack(more);
      }
      buffers.giveBack(memory);
      try (below) {
        decoder.close();
      }
    }
  }
}
