package io.headrace.format.race;

import io.headrace.codec.stream.BlobDecompressor;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.files.KeptFile;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Gather;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Reads the blobs of one group of one shard and checks them. Confined.
///
/// Sequential readers fetch a window of the file at a time; others just what a blob takes. A
/// decompressed block is kept until another is needed.
final class BlobReader {
  /// A compressed block says only how large it will be; what is larger is not believed.
  private static final long MAX_BLOCK = 256L << 20;

  private final KeptFile file;
  private final RaceSection section;
  private final int window;
  private final BlobDecompressor decompressor;
  private final Block fetched;
  private final Block stored;
  private final Block plain;
  private final CRC32C crc = new CRC32C();
  private long fetchedFrom;
  private long fetchedTo;
  private int block = -1;
  private long bytesRead;
  private @Nullable Gather gather;
  private int fileNumber;

  /// @param window bytes to fetch at a time, or 0 for each blob alone
  /// @param decompressor the caller's
  /// @param arena what is fetched or decompressed lies in, and dies with
  BlobReader(
      KeptFile file, RaceSection section, int window, BlobDecompressor decompressor, Arena arena) {
    var budget = MemoryBudget.unbounded();
    fetched = new Block(budget, arena);
    stored = new Block(budget, arena);
    plain = new Block(budget, arena);
    this.file = file;
    this.section = section;
    this.window = window;
    this.decompressor = decompressor;
  }

  /// Reads blobs from what was announced, if they were.
  void gather(@Nullable Gather from, int number) {
    gather = from;
    fileNumber = number;
  }

  /// {@return bytes read from the file so far}
  long bytesRead() {
    return bytesRead;
  }

  /// Reads a blob into a block that has room for it.
  ///
  /// @param at where in `into`, in bytes
  void read(int sample, Block into, long at) throws IOException, DecodeException {
    long length = section.length(sample);
    if (section.compressed()) {
      load(section.block(sample));
      MemorySegment.copy(plain.memory(), section.within(sample), into.memory(), at, length);
    } else {
      fetch(section.place(sample), into, at, length);
    }
    int computed = crcOf(into, at, length);
    if (computed != section.crc(sample) && length > 0) {
      throw new DecodeException(
          Fault.CORRUPT,
          "CRC-32C of %d bytes is %08x, the index says %08x"
              .formatted(length, computed, section.crc(sample)));
    }
  }

  private int crcOf(Block block, long at, long length) {
    crc.reset();
    crc.update(block.buffer(at, length));
    return (int) crc.getValue();
  }

  private void load(int wanted) throws IOException, DecodeException {
    if (block == wanted) {
      return;
    }
    block = -1;
    long bytes = section.blockBytes(wanted);
    long plainBytes = section.blockPlainBytes(wanted);
    if (plainBytes > MAX_BLOCK) {
      throw new DecodeException(
          Fault.LIMIT, "a block of %d bytes, %d are allowed".formatted(plainBytes, MAX_BLOCK));
    }
    boolean compressed = bytes != plainBytes;
    Block to = compressed ? stored : plain;
    MemorySegment source = to.ensure(bytes).asSlice(0, bytes);
    fetch(section.blockPlace(wanted), to, 0, bytes);
    RaceLayout.requireCrc("block", source, section.blockCrc(wanted));
    if (compressed) {
      decompressor.decompress(source, plain.ensure(plainBytes).asSlice(0, plainBytes));
    }
    block = wanted;
  }

  private void fetch(long position, Block into, long at, long bytes)
      throws IOException, DecodeException {
    if (bytes > window) {
      Gather.read(gather, fileNumber, file, position, into, at, bytes);
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
    MemorySegment.copy(fetched.memory(), position - fetchedFrom, into.memory(), at, bytes);
  }
}
