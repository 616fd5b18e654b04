package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.BigEndian.u8;

import io.headrace.codec.jpeg.Markers;
import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// A Huffman table for writing: the standard's, or the best for given counts (ITU-T T.81, annex C
/// and K.2). A reusable holder.
public final class HuffmanCode {
  /// The AC symbol of sixteen zeros (ZRL, ITU-T T.81, F.1.2.2.1).
  static final int SIXTEEN_ZEROS = 0xf0;

  private static final int LONGEST = HuffmanTable.LONGEST;

  /// Symbols, and one that keeps the code of all ones free.
  private static final int MAX = 257;

  /// By length: codes of it.
  private final int[] lengths = new int[MAX + 1];

  /// Symbols in the order of their codes.
  private final int[] symbols = new int[256];

  /// By symbol: length of the code (bits 0 to 4), and the code above; 0 where there is none.
  final int[] codes = new int[256];

  private final long[] leaves = new long[MAX];
  private final long[] weights = new long[2 * MAX];
  private final int[] parents = new int[2 * MAX];
  private int count;

  /// {@return the symbol's code: its length in bits 0 to 4, the code above; 0 if it has none}
  public int code(int symbol) {
    return codes[symbol];
  }

  /// Takes a table as DHT segments hold them.
  public void standard(MemorySegment table) {
    count = (int) table.byteSize() - LONGEST;
    for (int length = 1; length <= LONGEST; length++) {
      lengths[length] = u8(table, length - 1);
    }
    for (int i = 0; i < count; i++) {
      symbols[i] = u8(table, LONGEST + i);
    }
    assign();
  }

  /// Takes a code whose lengths are given, with none of all ones.
  ///
  /// @param bySymbol length of each symbol's code; 0 where there is none
  public void ofLengths(byte[] bySymbol) {
    Arrays.fill(lengths, 0);
    count = 0;
    for (int length = 1; length <= LONGEST; length++) {
      for (int symbol = 0; symbol < symbols.length; symbol++) {
        if (bySymbol[symbol] == length) {
          symbols[count++] = symbol;
          lengths[length]++;
        }
      }
    }
    assign();
  }

  /// Makes the table that codes the tokens of a slot in the fewest bits, or nearly: codes over 16
  /// bits are shortened by figure K.3.
  public void optimal(Tokens tokens, int slot) {
    int n = 0;
    leaves[n++] = (1L << 9) | 256; // stands for the code of all ones
    for (int symbol = 0; symbol < 256; symbol++) {
      long times = tokens.occurrences(slot, symbol);
      if (times > 0) {
        leaves[n++] = (times << 9) | symbol;
      }
    }
    Arrays.sort(leaves, 1, n);
    measure(n);
    shorten();
    count = n - 1;
    for (int i = 0; i < count; i++) {
      symbols[i] = (int) leaves[count - i] & 511;
    }
    assign();
  }

  /// Counts the codes of each length, by Huffman's construction on leaves of rising weight.
  private void measure(int n) {
    Arrays.fill(lengths, 0);
    if (n == 1) {
      return;
    }
    for (int i = 0; i < n; i++) {
      weights[i] = leaves[i] >>> 9;
    }
    int leaf = 0;
    int inner = n;
    for (int made = n; made < 2 * n - 1; made++) {
      weights[made] = 0;
      for (int child = 0; child < 2; child++) {
        boolean takeLeaf = leaf < n && (inner >= made || weights[leaf] <= weights[inner]);
        int least = takeLeaf ? leaf++ : inner++;
        weights[made] += weights[least];
        parents[least] = made;
      }
    }
    weights[2 * n - 2] = 0; // from here on: depths
    for (int node = 2 * n - 3; node >= 0; node--) {
      weights[node] = weights[parents[node]] + 1;
      if (node < n) {
        lengths[(int) weights[node]]++;
      }
    }
  }

  /// Brings all codes to 16 bits (figure K.3) and frees the code of all ones.
  private void shorten() {
    for (int length = MAX; length > LONGEST; length--) {
      while (lengths[length] > 0) {
        int shorter = length - 2;
        while (lengths[shorter] == 0) {
          shorter--;
        }
        lengths[length] -= 2;
        lengths[length - 1]++;
        lengths[shorter + 1] += 2;
        lengths[shorter]--;
      }
    }
    int longest = LONGEST;
    while (longest > 0 && lengths[longest] == 0) {
      longest--;
    }
    if (longest > 0) {
      lengths[longest]--;
    }
  }

  private void assign() {
    Arrays.fill(codes, 0);
    int code = 0;
    int i = 0;
    for (int length = 1; length <= LONGEST; length++) {
      code <<= 1;
      for (int j = 0; j < lengths[length]; j++) {
        codes[symbols[i++]] = (code++ << 5) | length;
      }
    }
  }

  /// Writes a DHT segment.
  ///
  /// @param slot as in [Tokens]
  public void write(JpegOutput out, int slot) throws DecodeException {
    out.segment(Markers.DHT, bytes());
    writeTable(out, slot);
  }

  /// {@return bytes of [#writeTable]}
  public int bytes() {
    return 1 + LONGEST + count;
  }

  /// Writes what stands in a DHT segment.
  ///
  /// @param slot as in [Tokens]
  public void writeTable(JpegOutput out, int slot) throws DecodeException {
    out.u8(((slot >> 1) << 4) | (slot & 1));
    for (int length = 1; length <= LONGEST; length++) {
      out.u8(lengths[length]);
    }
    for (int i = 0; i < count; i++) {
      out.u8(symbols[i]);
    }
  }
}
