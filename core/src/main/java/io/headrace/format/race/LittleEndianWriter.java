package io.headrace.format.race;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Writes numbers after each other.
final class LittleEndianWriter {
  private final MemorySegment to;
  private long at;

  LittleEndianWriter(MemorySegment to) {
    this.to = to;
  }

  void u32(int value) {
    to.set(U32, at, value);
    at += 4;
  }

  void u64(long value) {
    to.set(U64, at, value);
    at += 8;
  }

  void ints(Ints values) {
    for (int i = 0; i < values.size(); i++) {
      u32(values.get(i));
    }
  }

  void bytes(byte[] bytes) {
    MemorySegment.copy(bytes, 0, to, JAVA_BYTE, at, bytes.length);
    at += bytes.length;
  }

  MemorySegment written() {
    return to.asSlice(0, at);
  }
}
