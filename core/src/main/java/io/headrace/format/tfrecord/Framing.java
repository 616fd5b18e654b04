package io.headrace.format.tfrecord;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import java.lang.foreign.MemorySegment;

/// The layout of a record: u64 length, u32 masked CRC-32C of those eight bytes, payload, u32 masked
/// CRC-32C of the payload; all little-endian. Source: `tsl/lib/io/record_writer.h`.
final class Framing {
  /// Bytes before the payload.
  static final long HEADER = 12;

  /// Bytes after the payload.
  static final long FOOTER = 4;

  private Framing() {}

  /// {@return the length in the header at `offset`, as stored: negative from 2 to 63 on}
  static long length(MemorySegment bytes, long offset) {
    return bytes.get(U64, offset);
  }

  /// {@return the stored checksum of the length in the header at `offset`}
  static int lengthCrc(MemorySegment bytes, long offset) {
    return bytes.get(U32, offset + Long.BYTES);
  }

  /// {@return whether the header at `offset` carries the right checksum of its length}
  static boolean lengthIsSound(MemorySegment bytes, long offset, MaskedCrc crc) {
    return crc.of(bytes.asSlice(offset, Long.BYTES)) == lengthCrc(bytes, offset);
  }

  /// {@return the stored checksum of a payload of `length` bytes at `offset`}
  static int payloadCrc(MemorySegment bytes, long offset, long length) {
    return bytes.get(U32, offset + length);
  }

  static void putHeader(MemorySegment into, long length, MaskedCrc crc) {
    into.set(U64, 0, length);
    into.set(U32, Long.BYTES, crc.of(into.asSlice(0, Long.BYTES)));
  }

  static void putFooter(MemorySegment into, MemorySegment payload, MaskedCrc crc) {
    into.set(U32, 0, crc.of(payload));
  }
}
