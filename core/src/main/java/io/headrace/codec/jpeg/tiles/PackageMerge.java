package io.headrace.codec.jpeg.tiles;

import java.util.Arrays;

/// Counts symbols, and finds the shortest Huffman code of at most 16 bits for them. A reusable
/// holder.
///
/// Lengths are those of the package-merge algorithm (Larmore and Hirschberg, "A fast algorithm for
/// optimal length-limited Huffman codes", 1990). JPEG has no code of ones alone (ITU-T T.81, C.2),
/// so a symbol that never occurs takes part, and gets it.
final class PackageMerge {
  private static final int SYMBOLS = 256;
  private static final int LONGEST = 16;

  /// By symbol: how often it occurs.
  final int[] counts = new int[SYMBOLS];

  private final byte[] lengths = new byte[SYMBOLS + 1];

  /// Weight << 9 | symbol, the lightest first.
  private final long[] leaves = new long[SYMBOLS + 1];

  private long[] before = new long[2 * SYMBOLS + 2];
  private long[] merged = new long[2 * SYMBOLS + 2];

  /// Whether each item of each level is a leaf, the lightest first.
  private final boolean[][] leaf = new boolean[LONGEST][2 * SYMBOLS + 2];

  void clear() {
    Arrays.fill(counts, 0);
  }

  /// {@return by symbol: bits of its code, 0 where it never occurs; valid until the next call}
  ///
  /// At least one symbol was counted.
  byte[] lengths() {
    int n = 0;
    leaves[n++] = SYMBOLS;
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
      if (counts[symbol] > 0) {
        leaves[n++] = ((long) counts[symbol] << 9) | symbol;
      }
    }
    Arrays.sort(leaves, 0, n);
    packages(n);
    return lengths;
  }

  private void packages(int n) {
    Arrays.fill(lengths, (byte) 0);
    int size = 0;
    for (int level = 0; level < LONGEST; level++) {
      int pairs = size / 2;
      int l = 0;
      int p = 0;
      for (int i = 0; i < n + pairs; i++) {
        long pair = p < pairs ? before[2 * p] + before[2 * p + 1] : Long.MAX_VALUE;
        boolean isLeaf = l < n && (leaves[l] >> 9) <= pair;
        leaf[level][i] = isLeaf;
        merged[i] = isLeaf ? leaves[l++] >> 9 : pair;
        p += isLeaf ? 0 : 1;
      }
      size = n + pairs;
      long[] swap = before;
      before = merged;
      merged = swap;
    }
    int taken = 2 * n - 2;
    for (int level = LONGEST - 1; level >= 0; level--) {
      int l = 0;
      for (int i = 0; i < taken; i++) {
        if (leaf[level][i]) {
          lengths[(int) leaves[l++] & 0x1ff]++;
        }
      }
      taken = 2 * (taken - l);
    }
  }
}
