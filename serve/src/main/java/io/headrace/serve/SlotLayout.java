package io.headrace.serve;

import io.headrace.memory.BatchMemory;

/// The layout of shared memory. All offsets are multiples of 64 bytes.
///
///     0                     magic, version, 4 zero bytes, token        [#HEADER] bytes
///     HEADER + i × bytes    slot i:
///       0                     samples, packed, row-major; then fields, see
///       [io.headrace.memory.BatchLayout]
///       labels                int64, little-endian, one a sample
///       ids                   uint64, little-endian, one a sample
///
/// @param labels offset in a slot
/// @param ids offset in a slot
/// @param bytes of a slot
record SlotLayout(long labels, long ids, long bytes) {
  /// Bytes ahead of the first slot.
  static final long HEADER = 64;

  /// First bytes of the memory, as a little-endian number: `HEADRACE`.
  static final long MAGIC = 0x4543_4152_4441_4548L;

  /// {@return the layout of slots for so many samples of so many bytes in all, fields included}
  static SlotLayout of(int samples, long sampleBytes) {
    long labels = aligned(sampleBytes);
    long ids = aligned(labels + (long) samples * Long.BYTES);
    return new SlotLayout(labels, ids, aligned(ids + (long) samples * Long.BYTES));
  }

  private static long aligned(long bytes) {
    return Math.ceilDiv(bytes, BatchMemory.ALIGNMENT) * BatchMemory.ALIGNMENT;
  }

  /// {@return offset of a slot in the memory}
  long slot(int number) {
    return HEADER + number * bytes;
  }
}
