package io.headrace.codec.jpeg.packed;

import java.util.Arrays;

/// Bytes that are appended to.
class ByteList {
  byte[] bytes = new byte[64];
  int size;

  final void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  final void add(int value) {
    room(1);
    append(value);
  }

  /// Appends a byte: there is room.
  final void append(int value) {
    bytes[size++] = (byte) value;
  }

  final void add(byte[] from, int start, int length) {
    room(length);
    System.arraycopy(from, start, bytes, size, length);
    size += length;
  }

  /// Appends a number, seven bits to a byte, the lowest first; all bytes but the last have their
  /// highest bit set.
  final void number(int value) {
    int left = value;
    for (; left > 127; left >>>= 7) {
      add(left | 128);
    }
    add(left);
  }
}
