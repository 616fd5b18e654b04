package io.headrace.codec.stream.deflate;

import java.util.Arrays;

/// A Huffman code of a deflate block (RFC 1951, 3.2.2), to be looked up by the next bits: reused
/// from block to block.
///
/// An entry holds bits that the symbol takes, its extra bits included (0 to 5); bits of its code
/// alone (8 to 11); [#MORE], [#END] or [#INVALID]; a literal, the least length or distance, or the
/// place of a second table (16 to 30); and the sign, which literals have. A code longer than are
/// looked up at once leads to a second table, for the next bits: [#MORE], the bits to pass over
/// (0 to 5) and those to look up there (8 to 11).
final class DeflateTable {
  /// Leads to a second table.
  static final int MORE = 1 << 12;

  /// The end of the block.
  static final int END = 1 << 13;

  /// No symbol has this code, or one that may not occur.
  static final int INVALID = 1 << 14;

  private static final int LONGEST = 15;
  private static final int LITERALS = 288;
  private static final int END_OF_BLOCK = 256;

  private static final int[] LENGTHS = new int[LITERALS - END_OF_BLOCK - 1];
  private static final int[] DISTANCES = new int[32];

  static {
    // least length 3, four symbols for each number of extra bits; RFC 1951, 3.2.5
    int least = 3;
    for (int i = 0; i < 28; i++) {
      int extra = i < 8 ? 0 : (i >> 2) - 1;
      LENGTHS[i] = least << 16 | extra;
      least += 1 << extra;
    }
    LENGTHS[28] = 258 << 16;
    LENGTHS[29] = INVALID;
    LENGTHS[30] = INVALID;
    int distance = 1;
    for (int i = 0; i < 30; i++) {
      int extra = i < 4 ? 0 : (i >> 1) - 1;
      DISTANCES[i] = distance << 16 | extra;
      distance += 1 << extra;
    }
    DISTANCES[30] = INVALID;
    DISTANCES[31] = INVALID;
  }

  /// Look-up tables: the first, and after it the second ones.
  final int[] entries;

  private final int most;
  private final int[] symbols;
  private final int[] counts = new int[LONGEST + 1];
  private final int[] codes = new int[LONGEST + 1];
  private int mask;

  private DeflateTable(int most, int[] symbols) {
    this.most = most;
    this.symbols = symbols;
    // each second table stands for two symbols or more
    entries = new int[(1 << most) + ((symbols.length / 2) << (LONGEST - most))];
  }

  /// {@return a table of literals and lengths}
  static DeflateTable literals() {
    int[] symbols = new int[LITERALS];
    for (int i = 0; i < END_OF_BLOCK; i++) {
      symbols[i] = Integer.MIN_VALUE | i << 16;
    }
    symbols[END_OF_BLOCK] = END;
    System.arraycopy(LENGTHS, 0, symbols, END_OF_BLOCK + 1, LENGTHS.length);
    return new DeflateTable(11, symbols);
  }

  /// {@return a table of distances}
  static DeflateTable distances() {
    return new DeflateTable(9, DISTANCES);
  }

  /// {@return a table of the lengths of codes, whose entries hold 0 to 18}
  static DeflateTable codeLengths() {
    int[] symbols = new int[19];
    Arrays.setAll(symbols, i -> i << 16);
    return new DeflateTable(7, symbols);
  }

  /// {@return what the next bits are looked up with: as many ones as there are bits}
  int mask() {
    return mask;
  }

  /// Builds the table.
  ///
  /// @param lengths bits of each symbol's code, or 0
  /// @param from index of the first symbol's
  /// @param n symbols
  /// @param partial whether a code may be incomplete that has one symbol, of a single bit
  /// @return whether it is a code; one without symbols is
  boolean build(byte[] lengths, int from, int n, boolean partial) {
    Arrays.fill(counts, 0);
    for (int i = 0; i < n; i++) {
      counts[lengths[from + i]]++;
    }
    counts[0] = 0;
    int longest = LONGEST;
    while (longest > 0 && counts[longest] == 0) {
      longest--;
    }
    int code = 0;
    for (int length = 1; length <= longest; length++) {
      code = (code + counts[length - 1]) << 1;
      codes[length] = code;
      if (code + counts[length] > 1 << length) {
        return false;
      }
    }
    boolean complete = longest > 0 && code + counts[longest] == 1 << longest;
    if (!complete && longest > (partial ? 1 : 0)) {
      return false;
    }
    int bits = Math.clamp(longest, 1, most);
    mask = (1 << bits) - 1;
    if (!complete) {
      Arrays.fill(entries, 0, 1 << bits, INVALID | 1 << 8 | 1);
    }
    if (longest > bits) {
      Arrays.fill(entries, 0, 1 << bits, 0); // so that [#second] sees which there are
    }
    enter(lengths, from, n, bits, longest);
    return true;
  }

  private void enter(byte[] lengths, int from, int n, int bits, int longest) {
    int free = 1 << bits;
    for (int i = 0; i < n; i++) {
      int length = lengths[from + i];
      if (length == 0) {
        continue;
      }
      int reversed = Integer.reverse(codes[length]++) >>> (32 - length);
      int start = 0;
      int size = 1 << bits;
      int left = length;
      if (length > bits) {
        int prefix = reversed & mask;
        if (entries[prefix] == 0) {
          entries[prefix] = MORE | free << 16 | (longest - bits) << 8 | bits;
          free += 1 << (longest - bits);
        }
        start = entries[prefix] >>> 16;
        size = 1 << (longest - bits);
        left = length - bits;
        reversed >>>= bits;
      }
      int symbol = symbols[i];
      int entry = (symbol & ~63) | left << 8 | (left + (symbol & 63)); // with its extra bits
      for (int at = reversed; at < size; at += 1 << left) {
        entries[start + at] = entry;
      }
    }
  }
}
