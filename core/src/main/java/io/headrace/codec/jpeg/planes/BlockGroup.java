package io.headrace.codec.jpeg.planes;

import java.lang.foreign.MemorySegment;

/// The inverse DCT of sixteen blocks at once, wherever they lie, with the samples of [Idct#block].
/// Confined to one thread, and reused.
public interface BlockGroup {
  /// Blocks of a group.
  int BLOCKS = 16;

  /// Most coefficients of a block, from the first of the zigzag on, that groups of their own have.
  int LOW = 10;

  /// As [#LOW].
  int MIDDLE = 25;

  /// {@return groups of blocks of which the first [#LOW] coefficients may be other than 0, the
  ///     first [#MIDDLE], and all; none if the CPU lacks vectors of 512 bits}
  static BlockGroup[] all() {
    return Idcts.wide()
        ? new BlockGroup[] {Idcts.group(LOW), Idcts.group(MIDDLE), Idcts.group(64)}
        : new BlockGroup[0];
  }

  /// {@return where coefficients of the next block go from [#next] on: 64, in the order of the
  ///     zigzag, times their factors}
  short[] coefficients();

  /// {@return index of the first coefficient of the next block}
  int next();

  /// Takes the next block; transforms all if the group is full then.
  ///
  /// @param plane uint8
  /// @param offset of the block's first sample, in bytes
  /// @param stride from a row to the next, in bytes
  /// @return whether samples are those of libjpeg-turbo, as [Idct#block] says
  boolean add(MemorySegment plane, long offset, int stride);

  /// Transforms the blocks that are left.
  ///
  /// @param plane that of all blocks
  /// @return as [#add]
  boolean finish(MemorySegment plane);

  /// Forgets blocks that are left.
  void clear();
}
