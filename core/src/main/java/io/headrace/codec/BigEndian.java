package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Unsigned numbers in network order, as image headers hold them.
public final class BigEndian {
  private BigEndian() {}

  public static int u8(MemorySegment bytes, long at) {
    return bytes.get(JAVA_BYTE, at) & 0xff;
  }

  public static int u16(MemorySegment bytes, long at) {
    return (u8(bytes, at) << 8) | u8(bytes, at + 1);
  }

  /// {@return 32 bits, of which the highest becomes the sign}
  public static int u32(MemorySegment bytes, long at) {
    return (u16(bytes, at) << 16) | u16(bytes, at + 2);
  }

  /// {@return the first `count` bytes, at most 8, as one number}
  public static long number(MemorySegment bytes, long at, int count) {
    long value = 0;
    for (int i = 0; i < count; i++) {
      value = (value << 8) | u8(bytes, at + i);
    }
    return value;
  }
}
