package io.headrace.codec.stream;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdException;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.codec.stream.coder.Encoder;
import io.headrace.error.ConfigException;
import java.nio.ByteBuffer;

/// Zstandard through `ZSTD_compressStream2`, the advanced streaming API.
final class ZstdEncoder implements Encoder {
  private final ZstdCompressCtx context = new ZstdCompressCtx();

  ZstdEncoder(Zstd options) {
    try {
      context.setLevel(options.level());
      context.setChecksum(options.checksum());
      if (options.strategy() != 0) {
        context.setStrategy(options.strategy());
      }
      if (options.windowLog() != 0) {
        context.setWindowLog(options.windowLog());
      }
      if (options.workers() != 0) {
        context.setWorkers(options.workers());
      }
    } catch (ZstdException e) {
      context.close();
      throw new ConfigException("libzstd refuses %s: %s".formatted(options.spec(), e.getMessage()));
    }
  }

  @Override
  public boolean encode(ByteBuffer in, ByteBuffer out, Step step) {
    boolean flushed = context.compressDirectByteBufferStream(out, in, directive(step));
    return step == Step.CONTINUE ? !in.hasRemaining() : flushed && !in.hasRemaining();
  }

  private static EndDirective directive(Step step) {
    return switch (step) {
      case CONTINUE -> EndDirective.CONTINUE;
      case PARTIAL, SYNC -> EndDirective.FLUSH;
      case FULL, FINISH -> EndDirective.END;
    };
  }

  @Override
  public void close() {
    context.close();
  }
}
