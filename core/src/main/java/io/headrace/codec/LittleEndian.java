package io.headrace.codec;

import static io.headrace.codec.BigEndian.u8;

import java.lang.foreign.MemorySegment;

/// Unsigned numbers, lowest byte first, as the headers of WebP and BMP hold them.
final class LittleEndian {
  private LittleEndian() {}

  static int u16(MemorySegment bytes, long at) {
    return u8(bytes, at) | (u8(bytes, at + 1) << 8);
  }

  static int u24(MemorySegment bytes, long at) {
    return u16(bytes, at) | (u8(bytes, at + 2) << 16);
  }

  /// {@return 32 bits, of which the highest becomes the sign}
  static int i32(MemorySegment bytes, long at) {
    return u16(bytes, at) | (u16(bytes, at + 2) << 16);
  }

  static long u32(MemorySegment bytes, long at) {
    return Integer.toUnsignedLong(i32(bytes, at));
  }
}
