package io.headrace.codec.jpeg.packed;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.util.Arrays;

/// A complete Huffman code of bytes, of at most 11 bits, for reading and writing: the first bit of
/// a code is the lowest. A reusable holder.
///
/// Codes are canonical: shorter ones first, equal ones in the order of their symbols, as numbers
/// whose first bit is the highest.
final class SymbolCode {
  static final int LONGEST = 11;
  static final int SYMBOLS = 256;

  /// Bytes that one may read after the end of what one was given.
  static final int SLACK = 192;

  private static final int MASK = (1 << LONGEST) - 1;

  /// In the stored form: nibbles above the longest code are runs of symbols without one.
  private static final int SHORT_RUN = 12;

  private static final int LONG_RUN = 13;
  private static final int MIN_RUN = 2;
  private static final int MIN_LONG_RUN = MIN_RUN + 16;

  /// By the next 11 bits: the length of the code, and from bit 8 its symbol.
  final char[] look = new char[1 << LONGEST];

  /// By symbol: its code, as bits are written, and from bit 16 its length; 0 where it has none.
  final int[] codes = new int[SYMBOLS];

  private final byte[] lengths = new byte[SYMBOLS];

  /// By length: codes of it, and then the next one.
  private final int[] next = new int[LONGEST + 1];

  /// Takes the lengths of all codes.
  ///
  /// @return whether there is such a code, and it is complete
  boolean set(byte[] bySymbol, int from) {
    System.arraycopy(bySymbol, from, lengths, 0, SYMBOLS);
    Arrays.fill(next, 0);
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
      if (lengths[symbol] < 0 || lengths[symbol] > LONGEST) {
        return false;
      }
      next[lengths[symbol]]++;
    }
    int code = 0;
    for (int length = 1; length <= LONGEST; length++) {
      int count = next[length];
      next[length] = code;
      code = (code + count) << 1;
    }
    if (code != 2 << LONGEST) {
      return false;
    }
    for (int symbol = 0; symbol < SYMBOLS; symbol++) {
      int length = lengths[symbol];
      codes[symbol] = 0;
      if (length > 0) {
        int reversed = Integer.reverse(next[length]++) >>> (Integer.SIZE - length);
        codes[symbol] = reversed | (length << 16);
        char entry = (char) (length | (symbol << 8));
        for (int i = reversed; i <= MASK; i += 1 << length) {
          look[i] = entry;
        }
      }
    }
    return true;
  }

  /// {@return bits of a symbol's code; 0 if it has none}
  int length(int symbol) {
    return lengths[symbol];
  }

  /// Writes lengths in their stored form.
  ///
  /// @param bySymbol 256 of them
  /// @return where it ends
  static int write(byte[] bySymbol, byte[] to, int start) {
    int nibble = 2 * start;
    for (int symbol = 0; symbol < SYMBOLS; ) {
      int end = symbol;
      while (end < SYMBOLS && bySymbol[end] == 0) {
        end++;
      }
      int run = end - symbol;
      if (run >= MIN_LONG_RUN) {
        nibble = put(to, nibble, LONG_RUN);
        nibble = put(to, nibble, (run - MIN_LONG_RUN) & 15);
        nibble = put(to, nibble, (run - MIN_LONG_RUN) >> 4);
        symbol = end;
      } else if (run >= MIN_RUN) {
        nibble = put(to, nibble, SHORT_RUN);
        nibble = put(to, nibble, run - MIN_RUN);
        symbol = end;
      } else {
        nibble = put(to, nibble, bySymbol[symbol++]);
      }
    }
    return (nibble + 1) / 2;
  }

  private static int put(byte[] to, int nibble, int value) {
    int at = nibble >> 1;
    to[at] = (byte) ((nibble & 1) == 0 ? value : to[at] | (value << 4));
    return nibble + 1;
  }

  /// Reads lengths in their stored form.
  ///
  /// @param from with [#SLACK] bytes after `end`
  /// @param bySymbol takes 256 of them
  /// @return where it ends
  static int read(byte[] from, int start, int end, byte[] bySymbol) throws DecodeException {
    Arrays.fill(bySymbol, (byte) 0);
    int nibble = 2 * start;
    int symbol = 0;
    while (symbol < SYMBOLS) {
      int value = get(from, nibble++);
      if (value <= LONGEST) {
        bySymbol[symbol++] = (byte) value;
      } else if (value == SHORT_RUN) {
        symbol += MIN_RUN + get(from, nibble++);
      } else if (value == LONG_RUN) {
        symbol += MIN_LONG_RUN + get(from, nibble) + 16 * get(from, nibble + 1);
        nibble += 2;
      } else {
        throw corrupt();
      }
    }
    int at = (nibble + 1) / 2;
    if (symbol != SYMBOLS || at > end) {
      throw corrupt();
    }
    return at;
  }

  private static int get(byte[] from, int nibble) {
    return (from[nibble >> 1] >> (4 * (nibble & 1))) & 15;
  }

  static DecodeException corrupt() {
    return new DecodeException(Fault.CORRUPT, "packed jpeg: a code table is none");
  }
}
