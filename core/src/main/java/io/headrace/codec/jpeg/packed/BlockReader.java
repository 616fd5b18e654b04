package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.BANDS;

/// Makes coefficients of what a [TileReader] has read, block after block. Confined to one thread,
/// and reused.
///
/// There are two kinds with equal results: [PlainBlockReader] runs everywhere, and
/// `VectorBlockReader` where the JVM has vectors of 512 bits.
abstract class BlockReader {
  TileReader tile = new TileReader();

  /// By band: the next class.
  final int[] classAt = new int[BANDS];

  /// By band: the next bit.
  final int[] bitAt = new int[BANDS];

  /// The next block.
  int block;

  /// Goes to the first block of the tile that was read.
  final void start(TileReader from) {
    tile = from;
    block = 0;
    for (int band = 0; band < BANDS; band++) {
      classAt[band] = 0;
      bitAt[band] = from.bits[band];
    }
  }

  /// Goes to the first block that is not of the first component.
  final void second() {
    System.arraycopy(tile.secondClass, 0, classAt, 0, BANDS);
  }

  /// Reads the next block.
  ///
  /// @param c takes its coefficients, [PackedDecoder#ROOM] of them: zeros before
  /// @param places in `c` of each coefficient of the zigzag
  /// @return index in the zigzag of the last one that is not 0
  abstract int next(int[] c, byte[] places);

  /// Passes over the next block.
  final void skip() {
    long mask = tile.masks[block++];
    for (int band = 0; band < BANDS && mask != 0; band++) {
      int count = Long.bitCount(mask & PackedLayout.BAND_MASKS[band]);
      byte[] classes = tile.classes[band];
      int bits = 0;
      for (int i = classAt[band]; i < classAt[band] + count; i++) {
        bits += classes[i];
      }
      classAt[band] += count;
      bitAt[band] += bits;
    }
  }
}
