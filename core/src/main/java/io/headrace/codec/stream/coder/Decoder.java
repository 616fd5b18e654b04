package io.headrace.codec.stream.coder;

import io.headrace.error.DecodeException;
import java.nio.ByteBuffer;

/// One running decompressor. Confined to one thread at a time.
public interface Decoder extends AutoCloseable {
  /// Takes compressed bytes from `in` and puts plain ones into `out`. C libraries want both direct.
  /// Moves both positions, also when it throws.
  ///
  /// @return whether the stream (gzip member, zstd frame) has ended; what is left of `in` belongs
  ///     to the next
  /// @throws DecodeException if the library rejects the bytes
  boolean decode(ByteBuffer in, ByteBuffer out) throws DecodeException;

  /// Gets ready for another stream, wherever the one before was left.
  void reset();

  @Override
  void close();
}
