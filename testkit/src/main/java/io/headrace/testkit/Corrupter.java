package io.headrace.testkit;

import java.util.Arrays;

/// Ways to damage bytes. Each returns a damaged copy.
public final class Corrupter {
  private Corrupter() {}

  /// {@return `bytes` with one bit flipped}
  ///
  /// @param bit from 0, counted from the lowest bit of the first byte
  public static byte[] flipBit(byte[] bytes, long bit) {
    byte[] copy = bytes.clone();
    copy[Math.toIntExact(bit / 8)] ^= (byte) (1 << (bit % 8));
    return copy;
  }

  /// {@return the first `length` of `bytes`}
  public static byte[] cut(byte[] bytes, int length) {
    return Arrays.copyOf(bytes, length);
  }
}
