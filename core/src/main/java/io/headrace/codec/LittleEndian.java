package io.headrace.codec;

import static io.headrace.codec.BigEndian.u8;

import java.lang.foreign.MemorySegment;

/// Unsigned numbers, lowest byte first, as the headers of WebP and BMP hold them.
public final class LittleEndian {
  private LittleEndian() {}

  public static int u16(MemorySegment bytes, long at) {
    return u8(bytes, at) | (u8(bytes, at + 1) << 8);
  }

  public static int u24(MemorySegment bytes, long at) {
    return u16(bytes, at) | (u8(bytes, at + 2) << 16);
  }

  /// {@return 32 bits, of which the highest becomes the sign}
  public static int i32(MemorySegment bytes, long at) {
    return u16(bytes, at) | (u16(bytes, at + 2) << 16);
  }

  public static long u32(MemorySegment bytes, long at) {
    return Integer.toUnsignedLong(i32(bytes, at));
  }
}
