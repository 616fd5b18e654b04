package io.headrace.sound.flac;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Reads bits, the highest of a byte first. After the end come zeros, and [#overrun] says so.
final class FlacBits {
  static final ValueLayout.OfLong U64 = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /// Bits that one look gives for sure: eight bytes, less the bits of the first that are used up.
  private static final int LOOK = 57;

  private MemorySegment bytes = MemorySegment.NULL;
  private long size;
  private long bit;

  /// Goes to a byte.
  void open(MemorySegment bytes, long at) {
    this.bytes = bytes;
    size = bytes.byteSize();
    bit = at << 3;
  }

  /// Lets go of the bytes.
  void forget() {
    open(MemorySegment.NULL, 0);
  }

  /// {@return whether more bits were read than there are}
  boolean overrun() {
    return bit > size << 3;
  }

  /// {@return the byte after the last bit read}
  long align() {
    bit = (bit + 7) & -8L;
    return bit >>> 3;
  }

  /// {@return the next bits from the top down, at least 57; then zeros}
  private long look() {
    long at = bit >>> 3;
    return (at + Long.BYTES <= size ? bytes.get(U64, at) : lookNearEnd(at)) << (bit & 7);
  }

  private long lookNearEnd(long at) {
    long word = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      word = word << 8 | (at + i < size ? bytes.get(JAVA_BYTE, at + i) & 0xff : 0);
    }
    return word;
  }

  /// {@return the next `count` bits as a number}
  ///
  /// @param count 0 to 57
  long take(int count) {
    long word = look();
    bit += count;
    return word >>> 1 >>> (63 - count);
  }

  /// {@return the next `count` bits as a number with a sign}
  ///
  /// @param count 0 to 57
  long signed(int count) {
    long word = look();
    bit += count;
    return word >> 1 >> (63 - count);
  }

  /// {@return the number of zeros before the next one, which is taken too}
  long unary() {
    long zeros = 0;
    long word = look();
    while (word >>> (64 - LOOK) == 0 && !overrun()) {
      zeros += LOOK;
      bit += LOOK;
      word = look();
    }
    int more = Long.numberOfLeadingZeros(word);
    bit += more + 1;
    return zeros + more;
  }

  /// Reads residuals in Rice code: a quotient in unary, then `parameter` bits; the sign is the
  /// lowest bit.
  ///
  /// @param parameter 0 to 30
  void rice(long[] to, int from, int end, int parameter) {
    MemorySegment bytes = this.bytes;
    long last = size - Long.BYTES;
    long bit = this.bit;
    for (int i = from; i < end; i++) {
      long at = bit >>> 3;
      long word = at <= last ? bytes.get(U64, at) << (bit & 7) : 0;
      int used = Long.numberOfLeadingZeros(word) + 1 + parameter;
      long folded;
      if (used <= LOOK) {
        folded = (long) (used - 1 - parameter) << parameter;
        folded |= word << (used - parameter - 1) << 1 >>> 1 >>> (63 - parameter);
        bit += used;
      } else { // a long run of zeros, or near the end
        this.bit = bit;
        if (overrun()) {
          return;
        }
        folded = unary() << parameter | take(parameter);
        bit = this.bit;
      }
      to[i] = folded >>> 1 ^ -(folded & 1);
    }
    this.bit = bit;
  }
}
