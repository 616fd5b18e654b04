package io.headrace.memory;

import io.headrace.error.ConfigException;
import java.util.Locale;

/// Element types of tensors. All are stored little-endian.
public enum DType {
  /// Unsigned 8-bit integer.
  UINT8(1),
  /// IEEE 754 half precision.
  FLOAT16(2),
  /// The upper half of a float32, rounded to nearest even.
  BFLOAT16(2),
  /// IEEE 754 single precision.
  FLOAT32(4);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /// {@return bytes of one element}
  public int bytes() {
    return bytes;
  }

  /// {@return the name users type, such as `float32`}
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// {@return the type with that label}
  ///
  /// @throws ConfigException if there is none
  public static DType of(String label) {
    for (DType type : values()) {
      if (type.label().equals(label)) {
        return type;
      }
    }
    throw new ConfigException(
        "unknown dtype '" + label + "': expected uint8, float16, bfloat16 or float32");
  }
}
