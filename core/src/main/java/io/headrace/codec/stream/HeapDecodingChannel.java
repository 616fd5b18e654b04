package io.headrace.codec.stream;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.LZMAInputStream;
import org.tukaani.xz.MemoryLimitException;
import org.tukaani.xz.UnsupportedOptionsException;
import org.tukaani.xz.XZInputStream;

/// Decompresses a channel through a library that reads streams on the heap: xz, lzma and bzip2.
/// Hands out and fails as [DecodingChannel] does.
final class HeapDecodingChannel implements ReadableByteChannel {
  private static final int BUFFER = 64 << 10;

  /// KiB that xz takes beside its dictionary, generously.
  private static final int XZ_OVERHEAD = 1 << 10;

  private final Source source;
  private final StreamKind kind;
  private final String file;
  private final int maxWindowLog;
  private final byte[] plain = new byte[BUFFER];
  private @Nullable InputStream stream;
  private @Nullable CorruptDataException fault;
  private boolean open = true;
  private long given;

  HeapDecodingChannel(ReadableByteChannel below, StreamKind kind, String file, int maxWindowLog) {
    source = new Source(below);
    this.kind = kind;
    this.file = file;
    this.maxWindowLog = maxWindowLog;
  }

  /// The compressed bytes.
  private static final class Source extends InputStream {
    private final ReadableByteChannel below;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).limit(0);
    private boolean ended;
    private long read;
    private @Nullable IOException failure;

    private Source(ReadableByteChannel below) {
      this.below = below;
    }

    /// {@return whether there are bytes}
    private boolean fill() throws IOException {
      try {
        while (!ended && !buffer.hasRemaining()) {
          ended = below.read(buffer.clear()) < 0;
          buffer.flip();
          read += buffer.remaining();
        }
        return buffer.hasRemaining();
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public int read() throws IOException {
      return fill() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int bytes = Math.min(length, buffer.remaining());
      buffer.get(into, offset, bytes);
      return bytes;
    }

    @Override
    public void close() throws IOException {
      below.close();
    }
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
    if (fault != null) {
      throw fault;
    }
    int done = 0;
    int end = Math.min(BUFFER, dst.remaining());
    try {
      if (stream == null) {
        if (end == 0 || !source.fill()) {
          return end == 0 ? 0 : -1;
        }
        stream = openStream();
      }
      if (kind == StreamKind.XZ) {
        done = stream.read(plain, 0, end); // keeps a fault for the next call
      } else {
        // one by one, because a fault inside a bulk read hides how much came before it
        for (int next = 0; done < end && (next = stream.read()) >= 0; done++) {
          plain[done] = (byte) next;
        }
        done = done == 0 && end > 0 ? -1 : done;
        if (done < 0 && kind == StreamKind.LZMA && source.fill()) {
          throw new IOException("bytes follow the end of the stream");
        }
      }
    } catch (IOException | RuntimeException e) {
      IOException failure = source.failure;
      if (failure != null) {
        throw failure;
      }
      fault = fault(e, Math.max(0, done));
      if (done <= 0) {
        throw fault;
      }
    }
    if (done > 0) {
      dst.put(plain, 0, done);
      given += done;
    }
    return done;
  }

  private InputStream openStream() throws IOException {
    int limit = (1 << (maxWindowLog - 10)) + XZ_OVERHEAD;
    return switch (kind) {
      case XZ -> new XZInputStream(source, limit);
      case LZMA -> new LZMAInputStream(source, limit);
      default -> new BZip2CompressorInputStream(source, true);
    };
  }

  private CorruptDataException fault(Exception e, int done) {
    String label = kind.label();
    long at = source.read - source.buffer.remaining();
    Fault found;
    String what;
    if (e instanceof MemoryLimitException) {
      found = Fault.LIMIT;
      what = "%s dictionary above the limit of 2^%d bytes".formatted(label, maxWindowLog);
    } else if (e instanceof UnsupportedOptionsException) {
      found = Fault.UNSUPPORTED;
      what = label + ": " + e.getMessage();
    } else if (e instanceof EOFException || source.ended) {
      found = Fault.TRUNCATED;
      what = label + " stream ends early";
    } else {
      found = Fault.CORRUPT; // libraries throw unchecked where their tables are damaged
      what = label + ": " + (e.getMessage() == null ? "damaged" : e.getMessage());
    }
    return new CorruptDataException(
        found,
        "%s (at compressed byte %d)".formatted(what, at),
        new Location(file, -1, null, given + done),
        null);
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    if (open) {
      open = false;
      stream = null;
      source.close();
    }
  }
}
