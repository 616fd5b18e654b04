package io.headrace.format.race;

import io.headrace.codec.stream.BlobDecompressor;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.ByteFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Reads the blobs of one group of one shard and checks them. Confined.
///
/// Sequential readers fetch a window of the file at a time; others just what a blob takes. A
/// decompressed block is kept until another is needed.
final class BlobReader {
  /// A compressed block says only how large it will be; what is larger is not believed.
  private static final long MOST_BLOCK = 256L << 20;

  private final ByteFile file;
  private final RaceSection section;
  private final int window;
  private final BlobDecompressor decompressor;
  private final Block fetched;
  private final Block stored;
  private final Block plain;
  private long fetchedFrom;
  private long fetchedTo;
  private int block = -1;
  private long bytesRead;

  /// @param window bytes to fetch at a time, or 0 for each blob alone
  /// @param decompressor the caller's
  /// @param arena what is fetched or decompressed lies in, and dies with
  BlobReader(
      ByteFile file, RaceSection section, int window, BlobDecompressor decompressor, Arena arena) {
    var budget = MemoryBudget.unbounded();
    fetched = new Block(budget, arena);
    stored = new Block(budget, arena);
    plain = new Block(budget, arena);
    this.file = file;
    this.section = section;
    this.window = window;
    this.decompressor = decompressor;
  }

  /// {@return bytes read from the file so far}
  long bytesRead() {
    return bytesRead;
  }

  /// Reads a blob into the start of `into`.
  void read(int sample, MemorySegment into) throws IOException, DecodeException {
    MemorySegment blob = into.asSlice(0, section.length(sample));
    if (section.compressed()) {
      load(section.block(sample));
      MemorySegment.copy(plain.memory(), section.within(sample), blob, 0, blob.byteSize());
    } else {
      fetch(section.place(sample), blob);
    }
    int computed = RaceLayout.crc(blob);
    if (computed != section.crc(sample) && blob.byteSize() > 0) {
      throw new DecodeException(
          Fault.CORRUPT,
          "CRC-32C of %d bytes is %08x, the index says %08x"
              .formatted(blob.byteSize(), computed, section.crc(sample)));
    }
  }

  private void load(int wanted) throws IOException, DecodeException {
    if (block == wanted) {
      return;
    }
    block = -1;
    int bytes = section.blockBytes(wanted);
    long plainBytes = section.blockPlainBytes(wanted);
    if (plainBytes > MOST_BLOCK) {
      throw new DecodeException(
          Fault.LIMIT, "a block of %d bytes, %d are allowed".formatted(plainBytes, MOST_BLOCK));
    }
    boolean compressed = bytes != plainBytes;
    MemorySegment source = (compressed ? stored : plain).ensure(bytes).asSlice(0, bytes);
    fetch(section.blockPlace(wanted), source);
    RaceLayout.requireCrc("block", source, section.blockCrc(wanted));
    if (compressed) {
      decompressor.decompress(source, plain.ensure(plainBytes).asSlice(0, plainBytes));
    }
    block = wanted;
  }

  private void fetch(long position, MemorySegment into) throws IOException, DecodeException {
    long bytes = into.byteSize();
    if (bytes > window) {
      file.read(position, into);
      bytesRead += bytes;
      return;
    }
    if (position < fetchedFrom || position + bytes > fetchedTo) {
      long end = Math.min(section.end(), position + window);
      MemorySegment memory = fetched.ensure(window);
      long kept = 0;
      if (position >= fetchedFrom && position < fetchedTo) { // its beginning is there already
        kept = fetchedTo - position;
        MemorySegment.copy(memory, position - fetchedFrom, memory, 0, kept);
      }
      fetchedFrom = position;
      fetchedTo = position + kept;
      file.read(fetchedTo, memory.asSlice(kept, end - fetchedTo));
      bytesRead += end - fetchedTo;
      fetchedTo = end;
    }
    MemorySegment.copy(fetched.memory(), position - fetchedFrom, into, 0, bytes);
  }
}
