package io.headrace.format.race;

import static io.headrace.memory.LittleEndian.U16;
import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// The two ends of a shard, which say what lies between them.
///
/// ```
/// header   0 magic 89 'H' 'R' 'A' 'C' 'E' 0d 0a     trailer   0 u64 offset of the index
///          8 u16 version, 1                                   8 u64 bytes of the index
///         10 u16 groups, 1 to 255                            16 u64 samples
///         12 u32 number of the shard, from 0                 24 u32 CRC-32C of the index
///         16 u32 number of shards                            28 u32 groups
///         20 40 bytes of 0                                   32 u32 0
///         60 u32 CRC-32C of bytes 0 to 59                    36 u32 CRC-32C of bytes 0 to 35
///                                                            40 "HRACEEND"
/// ```
final class RaceLayout {
  static final int HEADER = 64;
  static final int TRAILER = 48;
  static final int VERSION = 1;
  static final int MAX_GROUPS = 255;

  private static final byte[] MAGIC = {(byte) 0x89, 'H', 'R', 'A', 'C', 'E', '\r', '\n'};
  private static final byte[] END = {'H', 'R', 'A', 'C', 'E', 'E', 'N', 'D'};
  private static final int HEADER_CRC = 60;
  private static final int TRAILER_CRC = 36;

  private RaceLayout() {}

  /// What a trailer says.
  record Trailer(long indexOffset, long indexBytes, long samples, int indexCrc, int groups) {}

  static boolean startsLikeRace(MemorySegment first) {
    return first.byteSize() >= MAGIC.length
        && first.asSlice(0, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) < 0;
  }

  static void writeHeader(MemorySegment to, int groups, int shard, int shards) {
    to.asSlice(0, HEADER).fill((byte) 0);
    MemorySegment.copy(MAGIC, 0, to, JAVA_BYTE, 0, MAGIC.length);
    to.set(U16, 8, (short) VERSION);
    to.set(U16, 10, (short) groups);
    to.set(U32, 12, shard);
    to.set(U32, 16, shards);
    to.set(U32, HEADER_CRC, crc(to.asSlice(0, HEADER_CRC)));
  }

  /// {@return the number of groups}
  ///
  /// @param header the first [#HEADER] bytes
  static int readHeader(MemorySegment header) throws DecodeException {
    if (!startsLikeRace(header)) {
      throw new DecodeException(
          Fault.MISMATCH, "not a race shard: it begins with " + hex(header, MAGIC.length));
    }
    requireCrc("header", header.asSlice(0, HEADER_CRC), header.get(U32, HEADER_CRC));
    int version = header.get(U16, 8) & 0xffff;
    if (version != VERSION) {
      throw new DecodeException(
          Fault.UNSUPPORTED, "race version %d, expected %d".formatted(version, VERSION));
    }
    int groups = header.get(U16, 10) & 0xffff;
    if (groups < 1 || groups > MAX_GROUPS) {
      throw new DecodeException(
          Fault.CORRUPT, "%d groups, expected 1 to %d".formatted(groups, MAX_GROUPS));
    }
    return groups;
  }

  static void writeTrailer(MemorySegment to, Trailer trailer) {
    to.set(U64, 0, trailer.indexOffset);
    to.set(U64, 8, trailer.indexBytes);
    to.set(U64, 16, trailer.samples);
    to.set(U32, 24, trailer.indexCrc);
    to.set(U32, 28, trailer.groups);
    to.set(U32, 32, 0);
    to.set(U32, TRAILER_CRC, crc(to.asSlice(0, TRAILER_CRC)));
    MemorySegment.copy(END, 0, to, JAVA_BYTE, 40, END.length);
  }

  /// {@return what the last [#TRAILER] bytes of a file say}
  ///
  /// @param fileBytes the whole file's size
  static Trailer readTrailer(MemorySegment trailer, long fileBytes, int groups)
      throws DecodeException {
    if (trailer.asSlice(40, END.length).mismatch(MemorySegment.ofArray(END)) >= 0) {
      throw new DecodeException(
          Fault.TRUNCATED,
          "no trailer at the end: the file was cut short, or was never finished (%d bytes)"
              .formatted(fileBytes));
    }
    requireCrc("trailer", trailer.asSlice(0, TRAILER_CRC), trailer.get(U32, TRAILER_CRC));
    var read =
        new Trailer(
            trailer.get(U64, 0),
            trailer.get(U64, 8),
            trailer.get(U64, 16),
            trailer.get(U32, 24),
            trailer.get(U32, 28));
    long end = fileBytes - TRAILER;
    if (read.indexOffset < HEADER
        || read.indexBytes < 0
        || read.indexBytes > end
        || read.indexOffset != end - read.indexBytes) {
      throw new DecodeException(
          Fault.MISMATCH,
          "an index of %d bytes at byte %d does not end at byte %d, where the trailer is"
              .formatted(read.indexBytes, read.indexOffset, end));
    }
    if (read.groups != groups) {
      throw new DecodeException(
          Fault.CORRUPT,
          "the trailer says %d groups, the header %d".formatted(read.groups, groups));
    }
    return read;
  }

  static int crc(MemorySegment bytes) {
    var crc = new CRC32C();
    update(crc, bytes);
    return (int) crc.getValue();
  }

  /// Takes in any number of bytes, of which a buffer may hold 2 GiB.
  static void update(CRC32C crc, MemorySegment bytes) {
    for (long at = 0; at < bytes.byteSize(); at += 1 << 30) {
      crc.update(bytes.asSlice(at, Math.min(1 << 30, bytes.byteSize() - at)).asByteBuffer());
    }
  }

  static void requireCrc(String what, MemorySegment bytes, int stored) throws DecodeException {
    int computed = crc(bytes);
    if (computed != stored) {
      throw new DecodeException(
          Fault.CORRUPT,
          "CRC-32C of the %s is %08x, the file says %08x".formatted(what, computed, stored));
    }
  }

  private static String hex(MemorySegment bytes, int count) {
    var text = new StringBuilder();
    for (long i = 0; i < Math.min(count, bytes.byteSize()); i++) {
      text.append("%02x".formatted(bytes.get(JAVA_BYTE, i) & 0xff));
    }
    return text.toString();
  }
}
