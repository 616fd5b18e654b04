package io.headrace.codec.jpeg.packed;

import static io.headrace.codec.jpeg.packed.PackedLayout.LANES;
import static io.headrace.codec.jpeg.packed.PackedLayout.LONGS;

/// Bits that are appended to, the first of a byte being the lowest. Whoever appends makes room
/// first: as many bytes as there will be, and [#SLACK] more.
final class BitList extends ByteList {
  /// Bytes that may be written after the last one, and mean nothing.
  static final int SLACK = Long.BYTES;

  /// Codes that fit into a word with the bits that do not fill a byte yet.
  private static final int AT_ONCE = 56 / SymbolCode.LONGEST;

  /// Bits that do not fill a byte yet: at most seven.
  private long rest;

  private int count;

  void clear() {
    size = 0;
    rest = 0;
    count = 0;
  }

  /// Appends the lowest `length` bits of `value`, of which those above are 0; at most 31.
  void put(int value, int length) {
    rest |= (long) value << count;
    count += length;
    LONGS.set(bytes, size, rest);
    size += count >>> 3;
    rest >>>= count & ~7;
    count &= 7;
  }

  /// Appends the bits that tell each number from the others of its class.
  ///
  /// @param values none of which is 0
  /// @param classes takes the class of each from `to` on
  void numbers(short[] values, int start, int end, byte[] classes, int to) {
    byte[] out = bytes;
    long bits = rest;
    int n = count;
    int at = size;
    for (int i = start; i < end; i++) {
      int value = values[i];
      int negative = value >> 31;
      int length = Integer.SIZE - Integer.numberOfLeadingZeros((value ^ negative) - negative);
      classes[to + i - start] = (byte) length;
      bits |= (long) ((value + negative) & ((1 << length) - 1)) << n;
      n += length;
      LONGS.set(out, at, bits);
      at += n >>> 3;
      bits >>>= n & ~7;
      n &= 7;
    }
    rest = bits;
    count = n;
    size = at;
  }

  /// Appends the codes of each fourth symbol.
  ///
  /// @param codes by symbol, as in [SymbolCode]
  void codes(int[] codes, byte[] symbols, int start, int end) {
    byte[] out = bytes;
    long bits = rest;
    int n = count;
    int at = size;
    for (int i = start; i < end; ) {
      int stop = Math.min(end, i + LANES * AT_ONCE);
      for (; i < stop; i += LANES) {
        int code = codes[symbols[i] & 0xff];
        bits |= (long) (code & 0xffff) << n;
        n += code >>> 16;
      }
      LONGS.set(out, at, bits);
      at += n >>> 3;
      bits >>>= n & ~7;
      n &= 7;
    }
    rest = bits;
    count = n;
    size = at;
  }

  /// Fills the last byte up with zeros.
  void align() {
    size += (count + 7) >>> 3;
    rest = 0;
    count = 0;
  }
}
