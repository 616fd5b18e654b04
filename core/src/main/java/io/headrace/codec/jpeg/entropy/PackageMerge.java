package io.headrace.codec.jpeg.entropy;

import java.util.Arrays;

/// Counts symbols, and finds the shortest Huffman code of limited length for them. A reusable
/// holder.
///
/// Lengths are those of the package-merge algorithm (Larmore and Hirschberg, "A fast algorithm for
/// optimal length-limited Huffman codes", 1990). JPEG has no code of ones alone (ITU-T T.81, C.2),
/// so in its codes a symbol that never occurs takes part, and gets it.
public final class PackageMerge {
  private static final int SYMBOLS = 256;

  private final int longest;

  /// Whether the code of all ones stays free.
  private final boolean spare;

  /// By symbol: how often it occurs.
  private final int[] counts = new int[SYMBOLS];

  private final byte[] lengths = new byte[SYMBOLS + 1];

  /// Weight << 9 | symbol, the lightest first.
  private final long[] leaves = new long[SYMBOLS + 1];

  private long[] before = new long[2 * SYMBOLS + 2];
  private long[] merged = new long[2 * SYMBOLS + 2];

  /// Whether each item of each level is a leaf, the lightest first.
  private final boolean[][] leaf;

  /// Codes of a JPEG: of at most 16 bits, and none of all ones.
  public PackageMerge() {
    this(HuffmanTable.LONGEST, true);
  }

  /// @param longest bits that a code may have, 9 to 16
  /// @param spare whether the code of all ones stays free
  public PackageMerge(int longest, boolean spare) {
    this.longest = longest;
    this.spare = spare;
    leaf = new boolean[longest][2 * SYMBOLS + 2];
  }

  public void clear() {
    Arrays.fill(counts, 0);
  }

  /// {@return by symbol: how often it occurs, to be counted up by the caller}
  @SuppressWarnings("MethodReturnsInternalArray") // counted up for each symbol of a file
  public int[] counts() {
    return counts;
  }

  /// {@return by symbol: bits of its code, 0 where it never occurs; valid until the next call}
  ///
  /// At least one symbol was counted.
  public byte[] lengths() {
    int n = 0;
    if (spare) {
      leaves[n++] = SYMBOLS;
    }
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
    for (int level = 0; level < longest; level++) {
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
    for (int level = longest - 1; level >= 0; level--) {
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
