package io.headrace.codec.jpeg.packed;

/// Bits that are appended to, the first of a byte being the lowest.
final class BitList extends ByteList {
  private long rest;
  private int count;

  void clear() {
    size = 0;
    rest = 0;
    count = 0;
  }

  /// Appends the lowest `length` bits of `value`, of which those above are 0; at most 31.
  void put(int value, int length) {
    rest |= (long) value << count;
    count += length;
    if (count >= Integer.SIZE) {
      room(Integer.BYTES);
      for (int i = 0; i < Integer.BYTES; i++) {
        bytes[size++] = (byte) (rest >>> (8 * i));
      }
      rest >>>= Integer.SIZE;
      count -= Integer.SIZE;
    }
  }

  /// Fills the last byte up with zeros.
  void align() {
    for (; count > 0; count -= 8) {
      add((int) rest & 0xff);
      rest >>>= 8;
    }
    rest = 0;
    count = 0;
  }
}
