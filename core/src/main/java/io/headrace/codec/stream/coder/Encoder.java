package io.headrace.codec.stream.coder;

import java.nio.ByteBuffer;

/// One running compressor of a C library. Confined to one thread at a time.
public interface Encoder extends AutoCloseable {
  /// What a call asks for, beyond taking its input.
  enum Step {
    /// Nothing: the library keeps what it likes.
    CONTINUE,
    /// `Z_PARTIAL_FLUSH`.
    PARTIAL,
    /// That everything taken so far can be read.
    SYNC,
    /// The same, and that reading can start after it.
    FULL,
    /// The end of the stream.
    FINISH
  }

  /// Takes bytes from `in` and puts compressed ones into `out`, both direct; moves both positions.
  ///
  /// @return whether all of `in` is taken and all that `step` asks for is out; else `out` is full
  boolean encode(ByteBuffer in, ByteBuffer out, Step step);

  @Override
  void close();
}
