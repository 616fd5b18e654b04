package io.headrace.codec.stream;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Inflate through libz, out of a zlib or a gzip wrapping, whose checksums libz compares.
final class InflateDecoder implements Decoder {
  private static final int MAX_WINDOW_BITS = 15;

  private final StreamKind kind;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment stream = arena.allocate(Libz.STREAM);

  InflateDecoder(StreamKind kind) {
    this.kind = kind;
    try {
      int wrapping = kind == StreamKind.GZIP ? DeflateEncoder.GZIP_WRAPPING : 0;
      int code = Libz.inflateInit2(stream, MAX_WINDOW_BITS + wrapping);
      if (code != Libz.Z_OK) {
        throw new OutOfMemoryError("libz: " + Libz.message(stream, code));
      }
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  @Override
  public boolean decode(ByteBuffer in, ByteBuffer out) throws DecodeException {
    Libz.input(stream, MemorySegment.ofBuffer(in));
    Libz.output(stream, MemorySegment.ofBuffer(out));
    int code = Libz.inflate(stream, Libz.Z_NO_FLUSH);
    in.position(in.limit() - Libz.availIn(stream));
    out.position(out.limit() - Libz.availOut(stream));
    return switch (code) {
      case Libz.Z_STREAM_END -> true;
      case Libz.Z_OK, Libz.Z_BUF_ERROR -> false;
      case Libz.Z_NEED_DICT ->
          throw new DecodeException(Fault.UNSUPPORTED, "zlib stream with a preset dictionary");
      case Libz.Z_MEM_ERROR -> throw new OutOfMemoryError("libz: no memory for a window");
      default -> {
        String words = Libz.message(stream, code);
        // "incorrect data check" and "incorrect length check" are the trailer; zlib's inflate.c
        boolean trailer = words.endsWith("data check") || words.endsWith("length check");
        throw new DecodeException(
            Fault.CORRUPT, kind.label() + (trailer ? " CRC: " : ": ") + words);
      }
    };
  }

  @Override
  public void reset() {
    int _ = Libz.inflateReset(stream);
  }

  @Override
  public StreamKind kind() {
    return kind;
  }

  @Override
  public void close() {
    int _ = Libz.inflateEnd(stream);
    arena.close();
  }
}
