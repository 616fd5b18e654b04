package io.headrace.sound;

/// How one sample is held in memory, in the machine's byte order.
///
/// All describe the range -1 to 1. An integer of b bits stands for its value divided by
/// 2<sup>b-1</sup>, so the least is exactly -1 and the largest just under 1. A fraction becomes an
/// integer by rounding value times 2<sup>b-1</sup> to the nearest, clamped to the range.
public enum SampleType {
  /// 16-bit integers. Sources of more bits lose the lower ones.
  INT16(2),
  /// 32-bit integers. Sources of fewer bits fill the upper ones.
  INT32(4),
  /// Fractions. Values outside -1 to 1, which floating-point files may hold, stay as they are.
  FLOAT32(4);

  private final int bytes;

  SampleType(int bytes) {
    this.bytes = bytes;
  }

  /// {@return bytes of one sample}
  public int bytes() {
    return bytes;
  }
}
