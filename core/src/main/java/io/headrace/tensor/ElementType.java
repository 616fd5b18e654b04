package io.headrace.tensor;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Element types of encoded tensors, little-endian.
public enum ElementType {
  /// Unsigned 8-bit integer.
  UINT8(0, 1, false),
  /// Signed 16-bit integer.
  INT16(1, 2, false),
  /// IEEE 754 half precision.
  FLOAT16(2, 2, true),
  /// IEEE 754 single precision.
  FLOAT32(3, 4, true),
  /// IEEE 754 double precision.
  FLOAT64(4, 8, true);

  private static final ElementType[] ALL = values();

  private final int number;
  private final int bytes;
  private final boolean floats;

  ElementType(int number, int bytes, boolean floats) {
    this.number = number;
    this.bytes = bytes;
    this.floats = floats;
  }

  /// {@return its number in blobs}
  int number() {
    return number;
  }

  /// {@return the type of that number, or null}
  static @Nullable ElementType of(int number) {
    for (ElementType type : ALL) {
      if (type.number == number) {
        return type;
      }
    }
    return null;
  }

  /// {@return bytes of one element}
  public int bytes() {
    return bytes;
  }

  /// {@return whether elements are floating-point numbers}
  boolean floats() {
    return floats;
  }

  /// {@return the name users type, such as `float32`}
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
