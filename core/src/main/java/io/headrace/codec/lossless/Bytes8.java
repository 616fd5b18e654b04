package io.headrace.codec.lossless;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Arithmetic on eight bytes that share a long, the first byte lowest.
final class Bytes8 {
  /// Eight bytes as they lie in memory.
  static final ValueLayout.OfLong LAYOUT = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// Eight bytes as they lie in an array.
  static final VarHandle IN_ARRAY =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// The low half of every byte.
  static final long LOW_HALVES = 0x0f0f0f0f0f0f0f0fL;

  /// The lowest bit of every byte.
  static final long LOW_BITS = 0x0101010101010101L;

  /// The highest bit of every byte.
  static final long HIGH_BITS = 0x8080808080808080L;

  /// Every other byte, the first included.
  static final long EVEN = 0x00ff00ff00ff00ffL;

  private Bytes8() {}

  /// {@return byte by byte `a + b`, modulo 256}
  static long add(long a, long b) {
    return ((a & ~HIGH_BITS) + (b & ~HIGH_BITS)) ^ ((a ^ b) & HIGH_BITS);
  }

  /// {@return byte by byte 0, -1, 1, -2, 2 … for 0, 1, 2, 3, 4 …}
  static long unfold(long folded) {
    long signs = folded & LOW_BITS;
    return ((folded ^ signs) >>> 1) ^ ((signs << 8) - signs);
  }

  /// Sets byte `x` of `row` to the low byte of `value`.
  static void set(long[] row, int x, long value) {
    int shift = x << 3; // modulo 64
    row[x >> 3] = (row[x >> 3] & ~(0xffL << shift)) | ((value & 0xff) << shift);
  }
}
