package io.headrace.serve;

import io.headrace.memory.BatchMemory;

/// The layout of shared memory. All offsets are multiples of 64 bytes; slots that several consumers
/// see begin at pages, so that each can drop what it wrote into its private view of one.
///
///     0                    magic, version, 4 zero bytes, token        [#HEADER] bytes
///     first + i × bytes    slot i:
///       0                     samples, packed, row-major; then fields, see
///       [io.headrace.memory.BatchLayout]
///       labels                int64, little-endian, one a sample
///       ids                   uint64, little-endian, one a sample
///
/// @param first where slot 0 begins
/// @param labels offset in a slot
/// @param ids offset in a slot
/// @param bytes of a slot
record SlotLayout(long first, long labels, long ids, long bytes) {
  /// Bytes of what stands ahead of the first slot.
  static final long HEADER = 64;

  /// A multiple of the pages of all machines that we know, in bytes.
  private static final long PAGES = 1 << 16;

  /// First bytes of the memory, as a little-endian number: `HEADRACE`.
  static final long MAGIC = 0x4543_4152_4441_4548L;

  /// {@return the layout of slots for so many samples of so many bytes in all, fields included}
  ///
  /// @param pages whether slots begin at pages
  static SlotLayout of(int samples, long sampleBytes, boolean pages) {
    long labels = aligned(sampleBytes, BatchMemory.ALIGNMENT);
    long ids = aligned(labels + (long) samples * Long.BYTES, BatchMemory.ALIGNMENT);
    long alignment = pages ? PAGES : BatchMemory.ALIGNMENT;
    long bytes = aligned(ids + (long) samples * Long.BYTES, alignment);
    return new SlotLayout(aligned(HEADER, alignment), labels, ids, bytes);
  }

  private static long aligned(long bytes, long alignment) {
    return Math.ceilDiv(bytes, alignment) * alignment;
  }

  /// {@return offset of a slot in the memory}
  long slot(int number) {
    return first + number * bytes;
  }
}
