package io.headrace.codec.jpeg.entropy;

import java.util.Arrays;

/// The coefficients of a sequential scan, block by block, read for speed.
public final class ScanBits extends CodedBits {
  /// Coefficients of a block, and as many as may be written after them by damaged data.
  public static final int ROOM = 64 + 8;

  /// Symbols that are looked up without another look at how many bits there are.
  private static final int AT_ONCE = 56 / CodeTable.AC_LOOK;

  /// Groups of symbols that are, likewise.
  private static final int GROUPS_AT_ONCE = 56 / CodeTable.MAX_SKIPPED;

  /// Says that data is damaged.
  public static final int BAD = Integer.MIN_VALUE;

  /// More than any first value of 8-bit samples.
  private static final int MAX_DC = 2047;

  /// Place in natural order of each coefficient of the zigzag; what comes after has one that nobody
  /// reads.
  private static final byte[] PLACES = new byte[256];

  static {
    int at = 0;
    for (int diagonal = 0; diagonal < 15; diagonal++) {
      for (int i = Math.max(0, diagonal - 7); i <= Math.min(7, diagonal); i++) {
        int row = diagonal % 2 == 0 ? diagonal - i : i;
        PLACES[at++] = (byte) (8 * row + diagonal - row);
      }
    }
    Arrays.fill(PLACES, 64, PLACES.length, (byte) 64);
  }

  /// Reads a block in natural order.
  ///
  /// @param dc the value of the block before
  /// @param coefficients where they are put, over zeros
  /// @return index in the zigzag of the last one (0 to 63), and the first one's value from bit 8
  ///     on; [#BAD] if the data is damaged
  public int block(CodeTable dcTable, CodeTable acTable, int dc, int[] coefficients) {
    int value = first(dcTable, dc);
    if (value == BAD) {
      return BAD;
    }
    byte[] bytes = this.bytes;
    byte[] places = PLACES;
    long[] pairs = acTable.pairs;
    long b = bits;
    int n = count;
    int p = next;
    coefficients[0] = value;
    int gone = 0; // bits since they were counted, and from bit 8 on the index in the zigzag
    long entry = 0;
    while (true) {
      b |= (long) WORDS.get(bytes, p) >>> n;
      p += (63 - n) >>> 3;
      n |= 56;
      for (int i = 0; i < AT_ONCE && gone < 63 << 8; i++) {
        entry = pairs[(int) (b >>> (64 - CodeTable.AC_LOOK))];
        b <<= entry;
        int one = gone + (int) (entry >>> 8 & 0xff00);
        coefficients[places[(one >>> 8) & 255]] = (short) (entry >> 32);
        gone += (int) entry & 0xffff;
        coefficients[places[(gone >>> 8) & 255]] = (int) (entry >> 48);
      }
      n -= gone & 255;
      gone &= ~255;
      if (gone < 63 << 8) {
        continue;
      }
      if ((entry >>> 8 & 255) != CodeTable.PART) {
        break; // as many steps may also be a symbol that leaves the block, and an end
      }
      b |= (long) WORDS.get(bytes, p) >>> n;
      p += (63 - n) >>> 3;
      n |= 56;
      int whole = acTable.complete((int) (entry >>> 32), b);
      if (whole == 0) {
        return BAD;
      }
      b <<= whole;
      n -= whole & 255;
      gone += (whole & 0xff00) - (CodeTable.PART << 8);
      coefficients[places[(gone >>> 8) & 255]] = whole >> 16;
      entry = 0;
      if (gone >= 63 << 8) {
        break;
      }
    }
    bits = b;
    count = n;
    next = p;
    int k = gone >>> 8;
    int more = (int) ((entry >>> 8 & 255) - (entry >>> 16 & 255));
    if (more > 0 && k - more >= 63) { // the second symbol is the next block's
      k -= more;
      back((int) (entry & 255) - (int) (entry >>> 24 & 255));
    }
    if (k == 63) {
      return (value << 8) | 63;
    }
    return k < CodeTable.END ? BAD : (value << 8) | (k - CodeTable.END);
  }

  /// Reads a block in the order that it is stored in.
  ///
  /// @param dc the value of the block before
  /// @param to takes it, with room for it
  /// @return the first value; [#BAD] if the data is damaged, and `to` has no more blocks then
  int block(CodeTable dcTable, CodeTable acTable, int dc, BlockRow to) {
    int value = first(dcTable, dc);
    if (value == BAD) {
      return BAD;
    }
    byte[] bytes = this.bytes;
    int[] look = acTable.look;
    short[] values = to.values;
    int i = to.next();
    values[i++] = (short) value;
    long mask = 1;
    long b = bits;
    int n = count;
    int p = next;
    int gone = 0; // as in the other
    do {
      b |= (long) WORDS.get(bytes, p) >>> n;
      p += (63 - n) >>> 3;
      n |= 56;
      int entry = 0;
      for (int left = AT_ONCE; left > 0 && gone < 63 << 8; left--) {
        entry = look[(int) (b >>> (64 - CodeTable.AC_LOOK))];
        if ((entry & 63) == 0) {
          break;
        }
        b <<= entry;
        gone += entry & 0xffff;
        values[i] = (short) (entry >> 16);
        int there = there(entry);
        i += there;
        mask |= (long) there << (gone >> 8);
      }
      n -= gone & 255;
      gone &= ~255;
      if ((entry & 63) == 0) {
        b |= (long) WORDS.get(bytes, p) >>> n;
        p += (63 - n) >>> 3;
        n |= 56;
        entry = acTable.complete(entry, b);
        if (entry == 0) {
          return BAD;
        }
        b <<= entry;
        n -= entry & 63;
        gone += entry & 0xff00;
        values[i] = (short) (entry >> 16);
        int there = there(entry);
        i += there;
        mask |= (long) there << (gone >> 8);
      }
    } while (gone < 63 << 8);
    bits = b;
    count = n;
    next = p;
    int k = gone >> 8;
    if (k != 63 && k < CodeTable.END) {
      return BAD;
    }
    to.add(mask);
    return value;
  }

  /// {@return 1 if a symbol's coefficient is not 0, else 0}
  private static int there(int entry) {
    int value = entry >> 16;
    return (value | -value) >>> 31;
  }

  /// Reads a block's first value.
  ///
  /// @return that, or [#BAD] if the data is damaged
  private int first(CodeTable table, int dc) {
    int p = next;
    long b = bits | (long) WORDS.get(bytes, p) >>> count;
    int n = count | 56;
    int entry = table.look[(int) (b >>> (64 - CodeTable.DC_LOOK))];
    if ((entry & 0xff00) == CodeTable.PART << 8) {
      entry = table.complete(entry, b);
      if (entry == 0) {
        return BAD;
      }
    }
    next = p + ((63 - count) >>> 3);
    bits = b << entry;
    count = n - (entry & 63);
    int value = dc + (entry >> 16);
    return value > MAX_DC || value < -MAX_DC ? BAD : value;
  }

  /// Puts bits back.
  private void back(int length) {
    long used = used() - length;
    int spent = (int) (used & 7);
    next = (int) (used >>> 3);
    bits = (long) WORDS.get(bytes, next) << spent;
    next += 7;
    count = 56 - spent;
  }

  /// Reads a block of which only a corner is wanted.
  ///
  /// @param skip that of `acTable`
  /// @param dc the value of the block before
  /// @param coefficients where the corner's are put, row by row, over zeros
  /// @return whether there may be others than the first (bit 0), and the first one's value from bit
  ///     1 on; [#BAD] if the data is damaged
  public int corner(
      CodeTable dcTable,
      CodeTable acTable,
      char[] skip,
      Corner corner,
      int dc,
      int[] coefficients) {
    int value = first(dcTable, dc);
    if (value == BAD) {
      return BAD;
    }
    byte[] bytes = this.bytes;
    byte[] places = corner.places;
    long[] pairs = acTable.pairs;
    int wanted = corner.last << 8;
    long b = bits;
    int n = count;
    int p = next;
    coefficients[0] = value;
    int gone = 0; // as in block
    do {
      b |= (long) WORDS.get(bytes, p) >>> n;
      p += (63 - n) >>> 3;
      n |= 56;
      long entry = 0;
      // Two symbols from within a corner never reach into the next block.
      for (int i = 0; i < AT_ONCE && gone < wanted; i++) {
        entry = pairs[(int) (b >>> (64 - CodeTable.AC_LOOK))];
        b <<= entry;
        int one = gone + (int) (entry >>> 8 & 0xff00);
        coefficients[places[(one >>> 8) & 255]] = (short) (entry >> 32);
        gone += (int) entry & 0xffff;
        coefficients[places[(gone >>> 8) & 255]] = (int) (entry >> 48);
      }
      n -= gone & 255;
      gone &= ~255;
      if (gone >= CodeTable.PART << 8) {
        b |= (long) WORDS.get(bytes, p) >>> n;
        p += (63 - n) >>> 3;
        n |= 56;
        int whole = acTable.complete((int) (entry >>> 32), b);
        if (whole == 0) {
          return BAD;
        }
        b <<= whole;
        n -= whole & 255;
        gone += (whole & 0xff00) - (CodeTable.PART << 8);
        coefficients[places[(gone >>> 8) & 255]] = whole >> 16;
      }
    } while (gone < wanted);
    bits = b;
    count = n;
    next = p;
    boolean flat = gone == CodeTable.END << 8;
    if (gone < 63 << 8 && !rest(acTable, skip, gone)) {
      return BAD;
    }
    return value << 1 | (flat ? 0 : 1);
  }

  /// Reads a block of which only the first value is wanted.
  ///
  /// @param skip that of `acTable`
  /// @param dc the value of the block before
  /// @return that, or [#BAD] if the data is damaged
  public int skip(CodeTable dcTable, CodeTable acTable, char[] skip, int dc) {
    int value = first(dcTable, dc);
    return value != BAD && rest(acTable, skip, 0) ? value : BAD;
  }

  /// Goes over the rest of a block.
  ///
  /// @param from index in the zigzag of the coefficient read last, in bits from 8 on
  /// @return false if the data is damaged
  private boolean rest(CodeTable acTable, char[] skip, int from) {
    byte[] bytes = this.bytes;
    long b = bits;
    int n = count;
    int p = next;
    int gone = from; // as in block, but for the end of it
    while (true) {
      b |= (long) WORDS.get(bytes, p) >>> n;
      p += (63 - n) >>> 3;
      n |= 56;
      int entry = 0;
      for (int i = 0; i < GROUPS_AT_ONCE && gone < 63 << 8; i++) {
        entry = skip[(int) (b >>> (64 - CodeTable.SKIP_LOOK))];
        b <<= entry;
        gone += entry;
      }
      if (gone < 63 << 8) {
        n -= gone & 255;
        gone &= ~255;
        continue;
      }
      bits = b;
      count = n - (gone & 255);
      next = p;
      if ((gone & (CodeTable.SKIPPED - 256)) < 63 << 8) {
        return true;
      }
      back(entry & 63); // a symbol of more bits, or the block ends within the group
      gone = (gone - entry) & ~255;
      b = bits;
      n = count;
      p = next;
      int symbol = acTable.find(b);
      if (symbol == 0) {
        return false;
      }
      b <<= symbol;
      n -= symbol & 255;
      gone += symbol & 0xff00;
      if (gone >= 63 << 8) {
        bits = b;
        count = n;
        return gone == 63 << 8 || gone >= CodeTable.END << 8;
      }
    }
  }

  /// Brings numbers from the order of the zigzag to natural order.
  public static void natural(int[] zigzag, int[] natural) {
    for (int k = 0; k < 64; k++) {
      natural[PLACES[k]] = zigzag[k];
    }
  }

  /// Brings numbers from natural order to that of the zigzag.
  public static void zigzag(int[] natural, int[] zigzag) {
    for (int k = 0; k < 64; k++) {
      zigzag[k] = natural[PLACES[k]];
    }
  }
}
