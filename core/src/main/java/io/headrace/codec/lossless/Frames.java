package io.headrace.codec.lossless;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;

/// Decodes zstd frames without their magic (RFC 8878). Bytes that the encoder left uncoded are as
/// many as there should be decoded.
final class Frames implements AutoCloseable {
  /// Pairs of one plane are the most bytes that any frame holds; widths of three planes are fewer.
  static final int MAX = Header.MAX_TILE_SAMPLES / 2;

  private final ZstdDecompressCtx zstd = new ZstdDecompressCtx().setMagicless(true);

  Frames() {}

  /// Decodes one frame.
  ///
  /// @param bytes hold the frame
  /// @param at where it starts
  /// @param length of the frame, at most `count`
  /// @param count bytes that there should be, at most [#MAX]
  /// @param to takes them at its start
  /// @throws DecodeException with [Fault#CORRUPT] if zstd refuses them or there are others
  void decode(byte[] bytes, int at, int length, int count, byte[] to) throws DecodeException {
    if (length == count) {
      System.arraycopy(bytes, at, to, 0, count);
      return;
    }
    int found;
    try {
      found = zstd.decompressByteArray(to, 0, count, bytes, at, length);
    } catch (ZstdException e) {
      throw new DecodeException(Fault.CORRUPT, "lossless: zstd: " + e.getMessage());
    }
    if (found != count) {
      throw new DecodeException(
          Fault.CORRUPT, "lossless: %d bytes in a frame, expected %d".formatted(found, count));
    }
  }

  @Override
  public void close() {
    zstd.close();
  }
}
