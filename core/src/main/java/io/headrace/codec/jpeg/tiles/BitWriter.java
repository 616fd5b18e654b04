package io.headrace.codec.jpeg.tiles;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Writes the coded data of a JPEG scan: bits, the highest first, a zero byte behind each 0xff.
final class BitWriter {
  /// More than one MCU takes: 10 blocks of 64 coefficients of 32 bits, every byte stuffed.
  private static final int MCU_BYTES = 8192;

  private MemorySegment to = MemorySegment.NULL;
  private long at;
  private long bits;
  private int count;

  /// Starts at byte `at` of `out`.
  void begin(Block out, long at) {
    to = out.memory();
    this.at = at;
    bits = 0;
    count = 0;
  }

  /// Makes room for one MCU.
  void room(Block out) throws DecodeException {
    if (to.byteSize() - at < MCU_BYTES) {
      to = out.ensureKeeping(at + MCU_BYTES);
    }
  }

  /// Writes the lowest `length` bits of `value`, of which those above are zero; at most 32.
  void put(int value, int length) {
    bits = (bits << length) | value;
    count += length;
    while (count >= 8) {
      count -= 8;
      octet((int) (bits >> count));
    }
  }

  private void octet(int value) {
    to.set(JAVA_BYTE, at++, (byte) value);
    if ((value & 0xff) == 0xff) {
      to.set(JAVA_BYTE, at++, (byte) 0);
    }
  }

  /// Fills the last byte with ones and writes a marker.
  ///
  /// @return offset behind it
  long marker(int marker) {
    if (count > 0) {
      put((1 << (8 - count)) - 1, 8 - count);
    }
    Markers.u16(to, at, 0xff00 | marker);
    at += 2;
    return at;
  }
}
