package io.headrace.codec.stream.deflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Compressed bytes at hand and the bits taken out of them, the first one lowest (RFC 1951, 3.1.1).
///
/// Reading goes on after the bytes' end, up to [#SLACK] bytes, so that a unit such as a symbol or
/// a block's header needs no look at each bit: whoever has read one asks [#overrun], and if bits
/// were used that are not there, goes back to the [#mark] and waits for more.
final class DeflateInput {
  /// Bytes at hand, at most.
  static final int CAPACITY = 32 << 10;

  /// More than any unit takes: 316 code lengths of 14 bits are 553 bytes.
  static final int SLACK = 1024;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  final byte[] bytes = new byte[CAPACITY + SLACK];

  /// Index of the first byte that is not among the bits.
  int next;

  int end;

  /// Bits taken out of the bytes; those above [#count] are zero or what comes next.
  long bits;

  int count;

  private int markedNext;
  private long markedBits;
  private int markedCount;

  /// Forgets everything.
  void clear() {
    next = 0;
    end = 0;
    bits = 0;
    count = 0;
  }

  /// Takes bytes of `in`, as many as there is room for after those at hand.
  void fill(ByteBuffer in) {
    unload();
    int kept = end - next;
    System.arraycopy(bytes, next, bytes, 0, kept);
    int taken = Math.min(CAPACITY - kept, in.remaining());
    in.get(bytes, kept, taken);
    next = 0;
    end = kept + taken;
  }

  /// Gives back what is left, of bytes that came out of `in` last.
  void giveBack(ByteBuffer in) {
    unload();
    in.position(in.position() - Math.min(end - next, in.position()));
    end = next;
  }

  /// Puts whole bytes back that are among the bits.
  private void unload() {
    next -= count >> 3;
    count &= 7;
    bits &= (1L << count) - 1;
  }

  /// Passes over the rest of a byte of which bits were taken.
  void align() {
    unload();
    bits = 0;
    count = 0;
  }

  /// {@return bytes at hand; none of them may be among the bits, see [#align]}
  int available() {
    return end - next;
  }

  /// {@return a byte, after [#align]}
  int take() {
    return bytes[next++] & 0xff;
  }

  /// Makes sure of at least 56 bits.
  void load() {
    bits |= (long) WORDS.get(bytes, next) << count;
    next += (63 - count) >>> 3;
    count |= 56;
  }

  /// Passes over loaded bits.
  void skip(int n) {
    bits >>>= n;
    count -= n;
  }

  /// {@return a number of up to 30 loaded bits}
  int take(int n) {
    int value = (int) bits & ((1 << n) - 1);
    skip(n);
    return value;
  }

  void mark() {
    markedNext = next;
    markedBits = bits;
    markedCount = count;
  }

  /// Goes back to where [#mark] was.
  void reset() {
    next = markedNext;
    bits = markedBits;
    count = markedCount;
  }

  /// {@return whether bits were used that are not there}
  boolean overrun() {
    return 8L * next - count > 8L * end;
  }
}
