package io.headrace.format.race;

import static io.headrace.memory.LittleEndian.U32;

import io.headrace.error.DecodeException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Where the blobs of one group lie in a shard.
final class RaceSection {
  private static final long U32_MASK = 0xffff_ffffL;

  private static final int STEP = 64;

  private final MemorySegment column;
  private final int samples;
  private final long start;
  private final long bytes;

  /// Plain bytes before every 64th sample, and before the end if that is one.
  private final long[] marks;

  /// By block, and after the last: its first sample and its place in the file. Empty if blobs are
  /// not compressed.
  private final int[] firstSamples;
  private final long[] places;
  private final int[] blockCrcs;

  private RaceSection(
      MemorySegment column,
      int samples,
      long start,
      long bytes,
      long[] marks,
      int[] firstSamples,
      long[] places,
      int[] blockCrcs) {
    this.column = column;
    this.samples = samples;
    this.start = start;
    this.bytes = bytes;
    this.marks = marks;
    this.firstSamples = firstSamples;
    this.places = places;
    this.blockCrcs = blockCrcs;
  }

  /// @param column lengths, then checksums, of all blobs
  /// @param blocks the block table
  /// @param start of the section in the file
  /// @param bytes of the section in the file
  static RaceSection read(MemorySegment column, MemorySegment blocks, long start, long bytes)
      throws DecodeException {
    int samples = (int) (column.byteSize() / RaceIndex.BLOB);
    long[] marks = new long[samples / STEP + 1];
    long plain = 0;
    for (int i = 0; i < samples; i++) {
      if (i % STEP == 0) {
        marks[i / STEP] = plain;
      }
      plain += column.get(U32, 4L * i) & U32_MASK;
    }
    if (samples % STEP == 0) {
      marks[samples / STEP] = plain;
    }
    int count = (int) (blocks.byteSize() / RaceIndex.BLOCK);
    if (count == 0) {
      if (plain != bytes) {
        throw RaceIndex.corrupt("blobs of %d bytes in a group of %d".formatted(plain, bytes));
      }
      return new RaceSection(
          column, samples, start, bytes, marks, new int[0], new long[0], new int[0]);
    }
    int[] firstSamples = new int[count + 1];
    long[] places = new long[count + 1];
    int[] crcs = new int[count];
    places[0] = start;
    for (int block = 0; block < count; block++) {
      long at = (long) RaceIndex.BLOCK * block;
      int within = blocks.get(U32, at);
      long stored = blocks.get(U32, at + 4) & U32_MASK;
      if (within < 1 || within > samples - firstSamples[block]) {
        throw RaceIndex.corrupt(
            "block %d of %d samples, %d bytes".formatted(block, within, stored));
      }
      firstSamples[block + 1] = firstSamples[block] + within;
      places[block + 1] = places[block] + stored;
      crcs[block] = blocks.get(U32, at + 8);
    }
    if (firstSamples[count] != samples || places[count] != start + bytes) {
      throw RaceIndex.corrupt(
          "blocks of %d samples and %d bytes in all, expected %d and %d"
              .formatted(firstSamples[count], places[count] - start, samples, bytes));
    }
    return new RaceSection(column, samples, start, bytes, marks, firstSamples, places, crcs);
  }

  /// {@return bytes it takes in the file}
  long bytes() {
    return bytes;
  }

  long end() {
    return start + bytes;
  }

  /// {@return bytes of a blob}
  long length(int sample) {
    return column.get(U32, 4L * sample) & U32_MASK;
  }

  /// {@return CRC-32C of a blob}
  int crc(int sample) {
    return column.get(U32, 4L * samples + 4L * sample);
  }

  boolean compressed() {
    return blockCrcs.length > 0;
  }

  /// {@return plain bytes before a sample}
  private long plainBefore(int sample) {
    long at = marks[sample / STEP];
    for (int i = sample / STEP * STEP; i < sample; i++) {
      at += length(i);
    }
    return at;
  }

  /// {@return where a blob begins in the file, or the block that holds it}
  long place(int sample) {
    return compressed() ? places[block(sample)] : start + plainBefore(sample);
  }

  /// {@return the block that holds a blob}
  int block(int sample) {
    int found = Arrays.binarySearch(firstSamples, sample);
    return found >= 0 ? found : -found - 2;
  }

  long blockPlace(int block) {
    return places[block];
  }

  long blockBytes(int block) {
    return places[block + 1] - places[block];
  }

  int blockCrc(int block) {
    return blockCrcs[block];
  }

  /// {@return bytes of all blobs of a block}
  long blockPlainBytes(int block) {
    return plainBefore(firstSamples[block + 1]) - plainBefore(firstSamples[block]);
  }

  /// {@return where a blob begins in its decompressed block}
  long within(int sample) {
    return plainBefore(sample) - plainBefore(firstSamples[block(sample)]);
  }
}
