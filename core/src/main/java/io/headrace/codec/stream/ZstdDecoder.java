package io.headrace.codec.stream;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.headrace.codec.stream.coder.Decoder;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.nio.ByteBuffer;

/// Zstandard through `ZSTD_decompressStream`, which also skips skippable frames.
final class ZstdDecoder implements Decoder {
  private final int maxWindowLog;
  private final ZstdDecompressCtx context = new ZstdDecompressCtx();
  private boolean between = true;

  /// @param maxWindowLog 10 to 31: a frame may make the library reserve 2 to this bytes
  ZstdDecoder(int maxWindowLog) {
    this.maxWindowLog = maxWindowLog;
    context.setLongMax(maxWindowLog);
  }

  @Override
  public boolean decode(ByteBuffer in, ByteBuffer out) throws DecodeException {
    try {
      between = false;
      between = context.decompressDirectByteBufferStream(out, in);
      return between;
    } catch (ZstdException e) {
      long code = Math.abs(e.getErrorCode()); // zstd-jni's stream calls give it negated
      if (code == Zstd.errFrameParameterWindowTooLarge()) {
        throw new DecodeException(
            Fault.LIMIT,
            "zstd frame needs a window above the limit of 2^%d bytes".formatted(maxWindowLog));
      }
      if (code == Zstd.errMemoryAllocation()) {
        throw new DecodeException(Fault.LIMIT, "zstd: no memory for the frame's window");
      }
      boolean checksum = code == Zstd.errChecksumWrong();
      // Which of the two it says of a block that is too large depends on the frames before.
      boolean corrupt = code == Zstd.errDstSizeTooSmall() || code == Zstd.errCorruptionDetected();
      throw new DecodeException(
          Fault.CORRUPT,
          checksum
              ? "zstd checksum is wrong"
              : "zstd: " + (corrupt ? "Data corruption detected" : e.getMessage()));
    }
  }

  @Override
  public void reset() {
    if (!between) { // after a whole frame the library starts the next one by itself
      context.reset();
      context.setLongMax(maxWindowLog);
      between = true;
    }
  }

  @Override
  public void close() {
    context.close();
  }
}
