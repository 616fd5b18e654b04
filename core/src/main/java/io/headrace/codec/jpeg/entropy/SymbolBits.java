package io.headrace.codec.jpeg.entropy;

import static io.headrace.codec.jpeg.entropy.HuffmanTable.LOOK;
import static io.headrace.codec.jpeg.entropy.HuffmanTable.RESOLVED;

import io.headrace.error.DecodeException;

/// Goes over the blocks of a sequential scan symbol by symbol: counts them, or writes them in other
/// codes with their extra bits as they are.
public final class SymbolBits extends CodedBits {
  private static final int END_OF_BLOCK = 0;
  /// Steps of an end of block in the zigzag: more than 63, and 16 beyond, which others make.
  static final int END = 128;

  /// A place in the zigzag from which the first of two symbols does not reach the end of a block.
  private static final int MAX_PAIR = 47;

  /// {@return the next DC difference}
  ///
  /// @param most bits that it may have
  public int difference(HuffmanTable table, int most) throws DecodeException {
    refill();
    int entry = table.look[(int) (bits >>> (64 - LOOK))];
    int size = (entry >>> 8) & 255;
    if ((entry & RESOLVED) != 0 && size <= most) {
      drop(entry & 31);
      return entry >> 16;
    }
    size = symbol(table);
    if (size > most) {
      throw fail("DC difference of %d bits".formatted(size));
    }
    return size == 0 ? 0 : HuffmanTable.extend(take(size), size);
  }

  /// Counts the AC symbols of a block.
  ///
  /// @param pairs those of `table`; counts most symbols
  /// @param counts by symbol: counts the others
  public void count(HuffmanTable table, SymbolPairs pairs, int[] counts) throws DecodeException {
    int[] look = table.look;
    long[] symbols = pairs.symbols();
    int[] looks = pairs.looks;
    byte[] bytes = this.bytes;
    long b = bits; // fields in registers: this loop is where reading spends its time
    int n = count;
    int p = next;
    int k = 0;
    while (k < 63) {
      if (n < 32) {
        b |= (long) WORDS.get(bytes, p) >>> n;
        p += (63 - n) >>> 3;
        n |= 56;
      }
      int ahead = (int) (b >>> (64 - LOOK));
      int both = (int) symbols[ahead];
      if (k < MAX_PAIR && both != 0) {
        looks[ahead]++;
        b <<= both;
        n -= both & 255;
        k += (both >>> 8) & 255;
        continue;
      }
      int entry = look[ahead];
      if (entry == 0) {
        entry = table.find((int) (b >>> 48));
      }
      int length = length(entry);
      b <<= length;
      n -= length;
      counts[(entry >>> 8) & 255]++;
      k = after(k, entry);
    }
    leave(b, n, p, k);
  }

  /// Writes the AC symbols of a block.
  ///
  /// @param pairs those of `table` and `code`
  /// @param code has one for each of them
  /// @param out with room for a block
  public void copy(HuffmanTable table, SymbolPairs pairs, HuffmanCode code, JpegOutput out)
      throws DecodeException {
    int[] look = table.look;
    long[] written = pairs.written;
    byte[] bytes = this.bytes;
    long b = bits;
    int n = count;
    int p = next;
    long rest = out.rest;
    int held = out.restCount;
    int k = 0;
    while (k < 63) {
      if (n < 32) {
        b |= (long) WORDS.get(bytes, p) >>> n;
        p += (63 - n) >>> 3;
        n |= 56;
      }
      int ahead = (int) (b >>> (64 - LOOK));
      long both = written[ahead];
      if (k < MAX_PAIR && both != 0) {
        int done = (int) both;
        b <<= done;
        n -= done & 255;
        k += (done >>> 8) & 255;
        rest = rest << (done >>> 16) | both >>> 32;
        held += (done >>> 16) & 255;
      } else {
        int entry = look[ahead];
        if (entry == 0) {
          entry = table.find((int) (b >>> 48));
        }
        int size = (entry >>> 8) & 15;
        int length = length(entry);
        int extra = (int) (b << (length - size) >>> 1 >>> (63 - size));
        b <<= length;
        n -= length;
        int to = code.codes[(entry >>> 8) & 255];
        rest = (rest << (to & 31) << size) | ((long) (to >>> 5) << size) | extra;
        held += (to & 31) + size;
        k = after(k, entry);
      }
      if (held >= 32) {
        held -= 32;
        out.word((int) (rest >>> held));
      }
    }
    out.rest = rest;
    out.restCount = held;
    leave(b, n, p, k);
  }

  private void leave(long bits, int count, int next, int k) throws DecodeException {
    this.bits = bits;
    this.count = count;
    this.next = next;
    if (k > 63 && k < END) {
      throw fail("no such AC symbol");
    }
  }

  /// {@return bits of a symbol, its extra ones included}
  private static int length(int entry) {
    int size = (entry >>> 8) & 15;
    return (entry & 31) + ((entry & RESOLVED) == 0 ? size : 0);
  }

  /// {@return index in the zigzag of a symbol's coefficient: [#END] or more after an end of block}
  private static int after(int k, int entry) {
    int symbol = (entry >>> 8) & 255;
    if ((symbol & 15) != 0 || symbol == HuffmanCode.SIXTEEN_ZEROS) {
      return k + (symbol >> 4) + 1;
    }
    return symbol == END_OF_BLOCK && entry != 0 ? k + END : 63 + 1;
  }
}
