package io.headrace.codec.stream.deflate;

import io.headrace.codec.stream.coder.Encoder;
import io.headrace.error.ConfigException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Deflate through libz, in a zlib or a gzip wrapping.
public final class DeflateEncoder implements Encoder {
  /// Added to the window bits, it asks libz for a gzip wrapping; zlib.h at `deflateInit2`.
  public static final int GZIP_WRAPPING = 16;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment stream = arena.allocate(Libz.STREAM);

  /// A compressor with the options of `deflateInit2`.
  ///
  /// @throws ConfigException if libz is missing or refuses them
  public DeflateEncoder(int level, int windowBits, int memLevel, int strategy) {
    try {
      int code = Libz.deflateInit2(stream, level, Libz.Z_DEFLATED, windowBits, memLevel, strategy);
      if (code == Libz.Z_MEM_ERROR) {
        throw new OutOfMemoryError("libz: no memory for a compressor");
      }
      if (code != Libz.Z_OK) {
        throw new ConfigException("libz refuses its options: " + Libz.message(stream, code));
      }
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public boolean encode(ByteBuffer in, ByteBuffer out, Step step) {
    Libz.input(stream, MemorySegment.ofBuffer(in));
    Libz.output(stream, MemorySegment.ofBuffer(out));
    int code = Libz.deflate(stream, flush(step));
    in.position(in.limit() - Libz.availIn(stream));
    out.position(out.limit() - Libz.availOut(stream));
    if (code != Libz.Z_OK && code != Libz.Z_STREAM_END && code != Libz.Z_BUF_ERROR) {
      throw new IllegalStateException("libz deflate: " + Libz.message(stream, code));
    }
    return step == Step.FINISH ? code == Libz.Z_STREAM_END : out.hasRemaining();
  }

  private static int flush(Step step) {
    return switch (step) {
      case CONTINUE -> Libz.Z_NO_FLUSH;
      case PARTIAL -> Libz.Z_PARTIAL_FLUSH;
      case SYNC -> Libz.Z_SYNC_FLUSH;
      case FULL -> Libz.Z_FULL_FLUSH;
      case FINISH -> Libz.Z_FINISH;
    };
  }

  @Override
  public void close() {
    int _ = Libz.deflateEnd(stream); // Z_DATA_ERROR only says that the stream was not finished
    arena.close();
  }
}
