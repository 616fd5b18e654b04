package io.headrace.codec.stream;

import java.nio.ByteBuffer;

/// One running compressor of a C library. Confined to one thread at a time.
interface Encoder extends AutoCloseable {
  /// What a call asks for, beyond taking its input.
  enum Step {
    CONTINUE,
    PARTIAL,
    SYNC,
    FULL,
    FINISH;

    static Step of(FlushMode mode) {
      return switch (mode) {
        case NONE -> CONTINUE;
        case PARTIAL -> PARTIAL;
        case SYNC -> SYNC;
        case FULL -> FULL;
      };
    }
  }

  /// Takes bytes from `in` and puts compressed ones into `out`, both direct; moves both positions.
  ///
  /// @return whether all of `in` is taken and all that `step` asks for is out; else `out` is full
  boolean encode(ByteBuffer in, ByteBuffer out, Step step);

  @Override
  void close();
}
