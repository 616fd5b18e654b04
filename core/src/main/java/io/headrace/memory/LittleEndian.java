package io.headrace.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Numbers whose lowest byte comes first, at any address.
public final class LittleEndian {
  /// 16 bits.
  public static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// 32 bits.
  public static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// 64 bits.
  public static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// A number with a fraction, of 32 bits.
  public static final ValueLayout.OfFloat F32 =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /// A number with a fraction, of 64 bits.
  public static final ValueLayout.OfDouble F64 =
      ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  /// {@return 16 bits without a sign}
  public static int u16(MemorySegment bytes, long at) {
    return Short.toUnsignedInt(bytes.get(U16, at));
  }

  /// {@return 24 bits without a sign}
  public static int u24(MemorySegment bytes, long at) {
    return u16(bytes, at) | (Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, at + 2)) << 16);
  }

  /// {@return 32 bits, of which the highest becomes the sign}
  public static int i32(MemorySegment bytes, long at) {
    return bytes.get(U32, at);
  }

  /// {@return 32 bits without a sign}
  public static long u32(MemorySegment bytes, long at) {
    return Integer.toUnsignedLong(bytes.get(U32, at));
  }
}
