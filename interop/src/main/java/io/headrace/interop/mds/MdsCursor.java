package io.headrace.interop.mds;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Dataset.SampleCursor;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.ByteFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Streams the samples of one shard and checks its hash on the way, if the index has one. A wrong
/// hash is thrown when the shard ends.
final class MdsCursor implements SampleCursor {
  private static final long WINDOW = 1 << 20;

  private final MdsShard shard;
  private final Block inflated = MdsShard.block();
  private final Block table = new Block(new MemoryBudget(1L << 30));
  private final Hashes hashes;
  private @Nullable ByteFile file;
  private boolean begun;
  private boolean ended;
  private boolean resumable;
  private int sample;
  private long bytesRead;

  MdsCursor(MdsShard shard) {
    this.shard = shard;
    hashes = new Hashes(shard.compressed() ? java.util.Map.of() : shard.about().raw().hashes());
  }

  @Override
  public boolean next(Sample into) throws IOException {
    resumable = false;
    if (ended) {
      return false;
    }
    ended = true; // unless all goes well
    into.place(shard.name(), sample, 0);
    if (!begun) {
      begin();
      begun = true;
    }
    if (sample == shard.about().samples()) {
      end();
      return false;
    }
    long from = offset(sample);
    long to = offset(sample + 1);
    into.place(shard.name(), sample, from);
    into.key(shard.key(sample));
    sample++;
    try {
      if (to - from > Block.MAX_BYTES) {
        passOver(from, to);
        ended = false;
        resumable = true;
      }
      MemorySegment bytes = into.ensure(to - from).asSlice(0, to - from);
      read(from, bytes);
      hashes.update(bytes);
      ended = false;
      resumable = true;
      into.storedBytes(shard.compressed() ? storedShare() : to - from);
      shard.columns().fill(into, (int) (to - from));
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    }
    return true;
  }

  /// Adds a sample that no memory can hold to the file's hash.
  private void passOver(long from, long to) throws IOException, DecodeException {
    if (!hashes.any()) {
      return;
    }
    try (var window = new Block(MemoryBudget.unbounded())) {
      for (long at = from; at < to; at += WINDOW) {
        long bytes = Math.min(WINDOW, to - at);
        MemorySegment part = window.ensure(bytes).asSlice(0, bytes);
        read(at, part);
        hashes.update(part);
      }
    }
  }

  /// {@return a sample's share of a compressed file}
  private long storedShare() {
    return shard.stored().bytes() / shard.about().samples();
  }

  private void begin() throws IOException {
    if (shard.compressed()) {
      shard.inflate(inflated);
      bytesRead = shard.stored().bytes();
    } else {
      file = shard.file();
    }
    readTable();
  }

  /// u32 number of samples; u32 where each begins, and where the last ends; what the writer was
  /// told, as JSON; the samples.
  private void readTable() throws IOException {
    long size = shard.about().raw().bytes();
    long samples = shard.about().samples();
    long bytes = (2 + samples) * Integer.BYTES;
    try {
      if (bytes > size) {
        throw new DecodeException(
            Fault.MISMATCH, "%d samples cannot be in %d bytes".formatted(samples, size));
      }
      MemorySegment head = table.ensure(bytes).asSlice(0, bytes);
      read(0, head);
      long found = head.get(Value.U32, 0) & 0xffff_ffffL;
      if (found != samples) {
        throw new DecodeException(
            Fault.MISMATCH, "%d samples, the index says %d".formatted(found, samples));
      }
      checkOffsets(bytes, size);
      long config = offset(0) - bytes;
      if (config > 0) {
        MemorySegment all = table.ensureKeeping(bytes + config).asSlice(0, bytes + config);
        read(bytes, all.asSlice(bytes));
        hashes.update(all);
      } else {
        hashes.update(head);
      }
    } catch (DecodeException e) {
      throw CorruptDataException.at(new Location(shard.name(), -1, null, 0), e);
    }
  }

  private void checkOffsets(long start, long size) throws DecodeException {
    long before = start;
    for (int i = 0; i <= shard.about().samples(); i++) {
      long offset = offset(i);
      if (offset < before || offset > size) {
        throw new DecodeException(
            Fault.CORRUPT,
            "sample %d begins at %d, behind %d of %d bytes".formatted(i, offset, before, size));
      }
      before = offset;
    }
    if (before != size) {
      throw new DecodeException(
          Fault.CORRUPT, "samples end at %d of %d bytes".formatted(before, size));
    }
  }

  private long offset(int of) {
    return table.memory().get(Value.U32, (1L + of) * Integer.BYTES) & 0xffff_ffffL;
  }

  private void read(long position, MemorySegment into) throws IOException {
    ByteFile from = file;
    if (from == null) {
      MemorySegment.copy(inflated.memory(), position, into, 0, into.byteSize());
    } else {
      from.read(position, into);
      bytesRead += into.byteSize();
    }
  }

  private void end() throws CorruptDataException {
    try {
      hashes.check();
    } catch (DecodeException e) {
      throw shard.at(-1, -1, e);
    }
  }

  @Override
  public boolean resumable() {
    return resumable;
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public void close() {
    inflated.close();
    table.close();
  }
}
