package io.headrace.codec.jpeg.planes;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The inverse DCT of two blocks that lie side by side, with the samples of [Idct#block]. Confined
/// to one thread, and reused.
public interface BlockPairs {
  /// Columns of a row of two blocks.
  int ROW = 16;

  /// {@return what does it faster than [Idct], once the JIT has compiled it; null if nothing does:
  ///     that takes vectors of 512 bits}
  static @Nullable BlockPairs fastest() {
    if (!Idcts.vectors()) {
      return null;
    }
    BlockPairs pairs = Idcts.pairs();
    return pairs.wide() ? pairs : null;
  }

  /// {@return whether the CPU has vectors of 512 bits}
  boolean wide();

  /// Makes 8 rows of 16 samples.
  ///
  /// @param c coefficients in natural order, rows of the first block beside rows of the second: 8
  ///     of 16
  /// @param q their factors, likewise
  /// @param plane uint8
  /// @param offset of the first block's first sample, in bytes
  /// @param stride from a row to the next, in bytes
  /// @return whether they are those of libjpeg-turbo, as [Idct#block] says
  boolean pair(int[] c, int[] q, MemorySegment plane, long offset, int stride);
}
