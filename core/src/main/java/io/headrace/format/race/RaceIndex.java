package io.headrace.format.race;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import io.headrace.codec.stream.BlobCompression;
import io.headrace.codec.stream.ZstdDictionary;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;

/// What a shard says about its samples: columns, so that one can be read without the others.
///
/// ```
///  0 u64 samples (n)   8 u32 groups (G)   12 u32 compression: 0 none, 1 zstd, 2 LZ4 blocks
/// 16 u32 bytes of the dictionary          20 u32 bytes of all keys
/// 24 for each group   u64 offset in the file · u64 bytes · u32 blocks, 0 if not compressed · u32 0
///    columns of n     u32 where the key ends among the keys · u64 label, -1 for none · u32 width ·
///                     u32 height · u32 kind
///    for each group   u32 bytes of the blob[n] · u32 CRC-32C of the blob[n]
///    for each group   block: u32 samples · u32 stored bytes · u32 CRC-32C of these
///    zstd dictionary
///    keys, UTF-8
/// ```
///
/// A kind is u8 encoding ([RaceEncoding]), u8 groups that the sample uses, u8 flags ([Blob]), u8
/// channels. Blobs lie after each other in the order of samples, so that offsets follow from
/// lengths. In a compressed section this holds within each block, once decompressed; a block whose
/// stored bytes are as many as its blobs' is not compressed. A sample costs 24 bytes and 8 a group,
/// beside its key.
final class RaceIndex {
  static final int HEADER = 24;
  static final int SECTION = 24;
  static final int SAMPLE = 24;
  static final int BLOB = 8;
  static final int BLOCK = 12;

  private final MemorySegment index;
  private final int samples;
  private final RaceSection[] sections;
  private final BlobCompression compression;
  private final long columns;
  private final long keys;
  private final long keyBytes;

  /// Reads an index whose checksum was found right, and checks that its numbers fit together.
  ///
  /// @param index the whole index; must outlive this
  /// @param end where the last group's blobs must end in the file
  RaceIndex(MemorySegment index, RaceLayout.Trailer trailer, long end) throws DecodeException {
    this.index = index;
    if (index.byteSize() < HEADER) {
      throw corrupt("%d bytes".formatted(index.byteSize()));
    }
    long n = index.get(U64, 0);
    int groups = index.get(U32, 8);
    long dictionary = index.get(U32, 16) & 0xffff_ffffL;
    keyBytes = index.get(U32, 20) & 0xffff_ffffL;
    if (n != trailer.samples() || groups != trailer.groups()) {
      throw corrupt(
          "%d samples in %d groups, the trailer says %d in %d"
              .formatted(n, groups, trailer.samples(), trailer.groups()));
    }
    columns = HEADER + (long) SECTION * groups;
    long left = index.byteSize() - columns - dictionary - keyBytes;
    if (n < 0 || n > Integer.MAX_VALUE || left < (SAMPLE + (long) BLOB * groups) * n) {
      throw corrupt("%d samples in %d bytes".formatted(n, index.byteSize()));
    }
    samples = (int) n;
    long blockTables = columns + (SAMPLE + (long) BLOB * groups) * n;
    sections = new RaceSection[groups];
    long start = RaceLayout.HEADER;
    long at = blockTables;
    for (int group = 0; group < groups; group++) {
      long entry = HEADER + (long) SECTION * group;
      long blocks = index.get(U32, entry + 16) & 0xffff_ffffL;
      long bytes = index.get(U64, entry + 8);
      if (index.get(U64, entry) != start || bytes < 0 || bytes > end - start) {
        throw corrupt(
            "group %d of %d bytes at byte %d, expected at byte %d, the last ending at %d"
                .formatted(group + 1, bytes, index.get(U64, entry), start, end));
      }
      if (blocks * BLOCK > index.byteSize() - dictionary - keyBytes - at) {
        throw corrupt("%d blocks in group %d".formatted(blocks, group + 1));
      }
      long column = columns + SAMPLE * n + (long) BLOB * n * group;
      sections[group] =
          RaceSection.read(
              index.asSlice(column, BLOB * n), index.asSlice(at, BLOCK * blocks), start, bytes);
      at += BLOCK * blocks;
      start += bytes;
    }
    if (start != end || at + dictionary + keyBytes != index.byteSize()) {
      throw corrupt(
          "groups end at byte %d, expected %d; index of %d bytes, expected %d"
              .formatted(start, end, index.byteSize(), at + dictionary + keyBytes));
    }
    keys = at + dictionary;
    compression = compression(index.get(U32, 12), index.asSlice(at, dictionary));
    checkColumns();
  }

  private void checkColumns() throws DecodeException {
    long end = 0;
    for (int i = 0; i < samples; i++) {
      long next = keyEnd(i);
      if (next < end || next > keyBytes) {
        throw corrupt("key of sample %d ends at byte %d of %d".formatted(i, next, keyBytes));
      }
      end = next;
      if (groups(i) < 1 || groups(i) > sections.length || (flags(i) & ~Blob.KNOWN_FLAGS) != 0) {
        throw corrupt(
            "sample %d has %d groups of %d, and flags %d"
                .formatted(i, groups(i), sections.length, flags(i)));
      }
    }
    if (end != keyBytes) {
      throw corrupt("keys end at byte %d of %d".formatted(end, keyBytes));
    }
  }

  static int code(BlobCompression compression) {
    return switch (compression) {
      case BlobCompression.None _ -> 0;
      case BlobCompression.Zstd _ -> 1;
      case BlobCompression.Lz4 _ -> 2;
    };
  }

  private static BlobCompression compression(int code, MemorySegment dictionary)
      throws DecodeException {
    try {
      return switch (code) {
        case 0 -> new BlobCompression.None();
        case 1 ->
            new BlobCompression.Zstd(
                3, dictionary.byteSize() == 0 ? null : ZstdDictionary.of(dictionary));
        case 2 -> new BlobCompression.Lz4(0);
        default ->
            throw new DecodeException(
                Fault.UNSUPPORTED, "compression %d, known are 0 to 2".formatted(code));
      };
    } catch (ConfigException e) {
      throw corrupt(String.valueOf(e.getMessage()));
    }
  }

  static DecodeException corrupt(String what) {
    return new DecodeException(Fault.CORRUPT, "index: " + what);
  }

  int samples() {
    return samples;
  }

  int groups() {
    return sections.length;
  }

  RaceSection section(int group) {
    return sections[group];
  }

  /// {@return how blocks are compressed, for their readers}
  BlobCompression compression() {
    return compression;
  }

  private long keyEnd(int i) {
    return index.get(U32, columns + 4L * i) & 0xffff_ffffL;
  }

  /// {@return the key of a sample, a view of UTF-8 bytes}
  MemorySegment key(int i) {
    long start = i == 0 ? 0 : keyEnd(i - 1);
    return index.asSlice(keys + start, keyEnd(i) - start);
  }

  /// {@return bytes of a sample's key}
  int keyLength(int i) {
    return (int) (keyEnd(i) - (i == 0 ? 0 : keyEnd(i - 1)));
  }

  /// Copies a sample's key to the start of `into`.
  void copyKey(int i, MemorySegment into) {
    long start = i == 0 ? 0 : keyEnd(i - 1);
    MemorySegment.copy(index, keys + start, into, 0, keyEnd(i) - start);
  }

  long label(int i) {
    return index.get(U64, columns + 4L * samples + 8L * i);
  }

  int width(int i) {
    return index.get(U32, columns + 12L * samples + 4L * i);
  }

  int height(int i) {
    return index.get(U32, columns + 16L * samples + 4L * i);
  }

  private int kind(int i) {
    return index.get(U32, columns + 20L * samples + 4L * i);
  }

  int encoding(int i) {
    return kind(i) & 0xff;
  }

  /// {@return groups that a sample uses, at least 1}
  int groups(int i) {
    return kind(i) >> 8 & 0xff;
  }

  int flags(int i) {
    return kind(i) >> 16 & 0xff;
  }
}
