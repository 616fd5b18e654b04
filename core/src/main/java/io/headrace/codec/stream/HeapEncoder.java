package io.headrace.codec.stream;

import io.headrace.codec.stream.Compression.Bzip2;
import io.headrace.codec.stream.Compression.Lzma;
import io.headrace.codec.stream.Compression.Xz;
import io.headrace.codec.stream.coder.Encoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.LZMAOutputStream;
import org.tukaani.xz.XZOutputStream;

/// A compressor that a library offers as a stream on the heap: xz, lzma and bzip2.
///
/// Streams follow one another where a flush cuts them: xz at [FlushMode#FULL], bzip2, which cannot
/// flush, at every mode. lzma can do neither: its bytes come when it ends.
final class HeapEncoder implements Encoder {
  /// Bytes given to the library at a time, so that what it writes stays small.
  private static final int PIECE = 64 << 10;

  private final Compression compression;
  private final byte[] piece = new byte[PIECE];
  private final Sink sink = new Sink();
  private @Nullable OutputStream stream;
  private boolean everOpened;

  /// Whether the library may hold bytes back.
  private boolean held;

  HeapEncoder(Compression compression) {
    this.compression = compression;
  }

  /// What the library wrote and nobody took yet.
  private static final class Sink extends ByteArrayOutputStream {
    private int taken;

    private boolean drain(ByteBuffer out) {
      int bytes = Math.min(out.remaining(), count - taken);
      out.put(buf, taken, bytes);
      taken += bytes;
      if (taken < count) {
        return false;
      }
      reset();
      taken = 0;
      return true;
    }
  }

  @Override
  public boolean encode(ByteBuffer in, ByteBuffer out, Step step) {
    try {
      while (sink.drain(out)) {
        if (in.hasRemaining()) {
          int bytes = Math.min(PIECE, in.remaining());
          in.get(piece, 0, bytes);
          open().write(piece, 0, bytes);
          held = true;
        } else if (!finish(step)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("in memory", e);
    }
  }

  /// {@return whether there was something to do}
  private boolean finish(Step step) throws IOException {
    OutputStream now = stream;
    boolean first = step == Step.FINISH && !everOpened;
    if (step == Step.CONTINUE || (now == null && !first)) {
      return false;
    }
    if (compression instanceof Lzma && step != Step.FINISH) {
      return false;
    }
    boolean cut = step == Step.FULL || step == Step.FINISH || compression instanceof Bzip2;
    if (cut) {
      open().close();
      stream = null;
    } else if (held) {
      open().flush();
    }
    boolean worked = cut || held;
    held = false;
    return worked;
  }

  private OutputStream open() throws IOException {
    OutputStream now = stream;
    if (now == null) {
      now =
          switch (compression) {
            case Xz(int level) -> new XZOutputStream(sink, new LZMA2Options(level));
            case Lzma(int level) -> new LZMAOutputStream(sink, new LZMA2Options(level), -1);
            default -> new BZip2CompressorOutputStream(sink, ((Bzip2) compression).level());
          };
      stream = now;
      everOpened = true;
    }
    return now;
  }

  @Override
  public void close() {
    stream = null; // nothing outside the heap
  }
}
