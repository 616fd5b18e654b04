package io.headrace.interop.pcr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Writes protobuf fields into memory that is large enough. Source: protobuf.dev, "Encoding".
final class MessageOutput {
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final MemorySegment memory;
  private long position;

  /// @param position where to begin, in bytes
  MessageOutput(MemorySegment memory, long position) {
    this.memory = memory;
    this.position = position;
  }

  /// {@return bytes that a number takes}
  static int varintBytes(long value) {
    return Math.max(1, (70 - Long.numberOfLeadingZeros(value)) / 7);
  }

  /// {@return bytes that a field takes: tag, length and as many bytes}
  static long fieldBytes(int tag, long length) {
    return varintBytes(tag) + varintBytes(length) + length;
  }

  long position() {
    return position;
  }

  void varint(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      memory.set(JAVA_BYTE, position++, (byte) (rest | 0x80));
      rest >>>= 7;
    }
    memory.set(JAVA_BYTE, position++, (byte) rest);
  }

  void number(int tag, long value) {
    varint(tag);
    varint(value);
  }

  void fixed64(long value) {
    memory.set(U64, position, value);
    position += Long.BYTES;
  }

  /// Begins a field of that many bytes, which are to follow.
  void begin(int tag, long length) {
    varint(tag);
    varint(length);
  }

  void bytes(int tag, MemorySegment bytes) {
    begin(tag, bytes.byteSize());
    MemorySegment.copy(bytes, 0, memory, position, bytes.byteSize());
    position += bytes.byteSize();
  }
}
