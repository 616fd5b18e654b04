package io.headrace.format.tar;

import static io.headrace.memory.LittleEndian.U32;
import static io.headrace.memory.LittleEndian.U64;

import io.headrace.error.CorruptDataException;
import io.headrace.format.tar.archive.Notes;
import io.headrace.format.tar.archive.StreamBytes;
import io.headrace.format.tar.archive.TarHeader;
import io.headrace.store.ByteFile;
import io.headrace.store.WholeFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/// The file `NAME.tar.index` beside an archive, which saves walking it. Little-endian:
///
///     u64 magic "HRTARIX1" · u64 bytes of the archive
///     u32 CRC-32C of its first 64 KiB · u32 CRC-32C of its last 64 KiB (or as many as it has)
///     u64 samples · u64 samples without a label
///     per sample: u64 start · u64 length · u64 hash of its key
///     u32 CRC-32C of everything before
///
/// Start and length are bytes of the archive, from the sample's first header to the padding of its
/// last member; the hash is [io.headrace.format.SampleIds] of the path without the extension. It is
/// written only for archives about which nothing is odd, and believed only if it fits the archive:
/// by its size, both fingerprints, and the headers of a few samples. Reading a sample then checks
/// its headers again.
final class IndexFile {
  private static final long MAGIC = 0x3158495241545248L; // "HRTARIX1"
  private static final long HEADER = 40;
  private static final long ENTRY = 24;
  private static final long FOOTER = 4;
  private static final long FINGERPRINT = 64 << 10;
  private static final int CHECKED = 16;

  private IndexFile() {}

  /// {@return the index file of an archive}
  static Path beside(Path archive) {
    return archive.resolveSibling(archive.getFileName() + ".index");
  }

  /// {@return the index in the file beside an archive, or if there is none or it does not fit, one
  /// made by walking}
  static TarIndex indexOf(TarShard shard) {
    String trouble = "";
    try (ByteFile file = shard.store().open(beside(shard.path()));
        Arena arena = Arena.ofConfined()) {
      if (file.size() > HEADER + ENTRY * (shard.bytes() / TarHeader.BLOCK) + FOOTER) {
        trouble = "it is larger than any index of such an archive";
      } else {
        MemorySegment bytes = arena.allocate(file.size());
        file.read(0, bytes);
        trouble = fault(bytes, shard);
        if (trouble.isEmpty()) {
          TarIndex index = parse(bytes);
          trouble = mismatch(index, shard);
          if (trouble.isEmpty()) {
            return index;
          }
        }
      }
    } catch (NoSuchFileException e) {
      return TarIndex.walk(shard); // there need not be one
    } catch (IOException e) {
      trouble = "it cannot be read: " + e;
    }
    TarIndex index = TarIndex.walk(shard);
    index.trouble(
        "%s was not believed, and the archive walked instead: %s"
            .formatted(beside(shard.path()), trouble));
    return index;
  }

  private static String fault(MemorySegment bytes, TarShard shard) throws IOException {
    long size = bytes.byteSize();
    if (size < HEADER + FOOTER || bytes.get(U64, 0) != MAGIC) {
      return size == 0 ? "it is empty" : "it is no index of ours";
    }
    if (bytes.get(U64, 8) != shard.bytes()) {
      return "it is of an archive of %d bytes, this one has %d"
          .formatted(bytes.get(U64, 8), shard.bytes());
    }
    long count = bytes.get(U64, 24);
    if (count < 0 || count != (size - HEADER - FOOTER) / ENTRY || size != bytesFor(count)) {
      return "it is cut short: %d samples in %d bytes".formatted(count, size);
    }
    if (bytes.get(U32, size - FOOTER) != crc(bytes.asSlice(0, size - FOOTER))) {
      return "its checksum is wrong";
    }
    long end = 0;
    for (long at = HEADER; at < size - FOOTER; at += ENTRY) {
      long start = bytes.get(U64, at);
      long length = bytes.get(U64, at + 8);
      if (start < end || length <= 0 || length > shard.bytes() - start) {
        return "its samples overlap or lie outside the archive";
      }
      end = start + length;
    }
    boolean same =
        bytes.get(U32, 16) == fingerprint(shard, 0)
            && bytes.get(U32, 20) == fingerprint(shard, tail(shard));
    return same ? "" : "it is of another archive of the same size";
  }

  private static long bytesFor(long count) {
    return HEADER + ENTRY * count + FOOTER;
  }

  private static long tail(TarShard shard) {
    return Math.max(0, shard.bytes() - FINGERPRINT);
  }

  private static int fingerprint(TarShard shard, long from) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(Math.min(FINGERPRINT, shard.bytes() - from));
      shard.file().read(from, bytes);
      return crc(bytes);
    }
  }

  private static int crc(MemorySegment bytes) {
    var crc = new CRC32C();
    crc.update(bytes.asByteBuffer());
    return (int) crc.getValue();
  }

  private static TarIndex parse(MemorySegment bytes) {
    int count = (int) bytes.get(U64, 24);
    long[] starts = new long[count];
    long[] lengths = new long[count];
    long[] ids = new long[count];
    for (int s = 0; s < count; s++) {
      long at = HEADER + ENTRY * s;
      starts[s] = bytes.get(U64, at);
      lengths[s] = bytes.get(U64, at + 8);
      ids[s] = bytes.get(U64, at + 16);
    }
    var notes = new Notes();
    long unlabelled = bytes.get(U64, 32);
    if (unlabelled > 0) {
      notes.add(Notes.Kind.UNLABELLED, unlabelled, "the index says");
    }
    if (count == 0) {
      notes.add(Notes.Kind.EMPTY, "the index says");
    }
    return TarIndex.of(starts, lengths, ids, notes);
  }

  /// {@return what is wrong with the headers where the index has some samples, spread evenly; empty
  /// if nothing is}
  private static String mismatch(TarIndex index, TarShard shard) throws IOException {
    int checked = (int) Math.min(CHECKED, index.count());
    try (StreamBytes in = shard.plain(0, TarShard.HEADER_BUFFER);
        var runs = new RunReader(in, shard.name(), new Notes())) {
      for (int i = 0; i < checked; i++) {
        int sample = (int) (i * index.count() / checked);
        in.seek(index.start(sample));
        runs.restart();
        if (!runs.next(null, 0)
            || runs.run().id() != index.id(sample)
            || runs.start() != index.start(sample)
            || runs.end() - runs.start() != index.length(sample)) {
          return "sample %d does not lie at byte %d".formatted(sample, index.start(sample));
        }
      }
    } catch (CorruptDataException e) {
      return "no sample lies where it says: " + e.reason();
    }
    return "";
  }

  /// Writes the index of an archive beside it, unless something about it is odd.
  static void write(TarIndex index, TarShard shard) throws IOException {
    Path target = beside(shard.path());
    if (!index.sound()) {
      boolean _ = Files.deleteIfExists(target);
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      long size = bytesFor(index.count());
      MemorySegment bytes = arena.allocate(size);
      bytes.set(U64, 0, MAGIC);
      bytes.set(U64, 8, shard.bytes());
      bytes.set(U32, 16, fingerprint(shard, 0));
      bytes.set(U32, 20, fingerprint(shard, tail(shard)));
      bytes.set(U64, 24, index.count());
      bytes.set(U64, 32, index.notes().count(Notes.Kind.UNLABELLED));
      for (int s = 0; s < index.count(); s++) {
        long at = HEADER + ENTRY * s;
        bytes.set(U64, at, index.start(s));
        bytes.set(U64, at + 8, index.length(s));
        bytes.set(U64, at + 16, index.id(s));
      }
      bytes.set(U32, size - FOOTER, crc(bytes.asSlice(0, size - FOOTER)));
      WholeFile.write(target, bytes.asByteBuffer());
    }
  }
}
