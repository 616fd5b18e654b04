package io.headrace.memory;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Element types of a sample's fields. All are stored little-endian.
public enum FieldType {
  /// False or true: a byte, 0 or 1.
  BOOL(1, false),
  /// Unsigned 8-bit integer.
  UINT8(1, false),
  /// Signed 8-bit integer.
  INT8(1, false),
  /// Unsigned 16-bit integer.
  UINT16(2, false),
  /// Signed 16-bit integer.
  INT16(2, false),
  /// Unsigned 32-bit integer.
  UINT32(4, false),
  /// Signed 32-bit integer.
  INT32(4, false),
  /// Unsigned 64-bit integer.
  UINT64(8, false),
  /// Signed 64-bit integer.
  INT64(8, false),
  /// IEEE 754 half precision.
  FLOAT16(2, true),
  /// The upper half of a float32: of images alone.
  BFLOAT16(2, true),
  /// IEEE 754 single precision.
  FLOAT32(4, true),
  /// IEEE 754 double precision.
  FLOAT64(8, true);

  private final int bytes;
  private final boolean floating;

  FieldType(int bytes, boolean floating) {
    this.bytes = bytes;
    this.floating = floating;
  }

  /// {@return bytes of one element}
  public int bytes() {
    return bytes;
  }

  /// {@return whether elements may have fractions}
  public boolean floating() {
    return floating;
  }

  /// {@return the name users type, such as `float32`}
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// {@return the type with that label, or null}
  public static @Nullable FieldType of(String label) {
    for (FieldType type : values()) {
      if (type.label().equals(label)) {
        return type;
      }
    }
    return null;
  }

  /// {@return the type of an image's elements}
  public static FieldType of(DType type) {
    return valueOf(type.name());
  }
}
