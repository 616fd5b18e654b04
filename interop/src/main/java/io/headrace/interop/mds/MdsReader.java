package io.headrace.interop.mds;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.Sample;
import io.headrace.format.shard.ShardStarts;
import io.headrace.store.ByteFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Reads single samples of uncompressed shards: where one lies, then the sample. Hashes are of
/// whole files and not checked here.
final class MdsReader implements SampleReader {
  private final List<MdsShard> shards;
  /// Number of the first sample of each shard, and the total.
  private final long[] starts;

  MdsReader(List<MdsShard> shards, long[] starts) {
    this.shards = shards;
    this.starts = starts;
  }

  @Override
  public void read(long index, Sample into) throws IOException {
    int s = ShardStarts.shardOf(starts, index);
    MdsShard shard = shards.get(s);
    long sample = index - starts[s];
    into.place(shard.name(), sample, -1);
    into.key(shard.key(sample));
    ByteFile file = shard.file();
    try {
      read(shard, file, sample, into);
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    }
  }

  private static void read(MdsShard shard, ByteFile file, long sample, Sample into)
      throws DecodeException, IOException {
    long table = (2L + shard.about().samples()) * Integer.BYTES;
    if (table > file.size()) {
      throw new DecodeException(
          Fault.MISMATCH,
          "%d samples cannot be in %d bytes".formatted(shard.about().samples(), file.size()));
    }
    MemorySegment memory = into.ensure(3 * Integer.BYTES);
    file.read(0, memory.asSlice(0, Integer.BYTES));
    file.read((1 + sample) * Integer.BYTES, memory.asSlice(Integer.BYTES, 2 * Integer.BYTES));
    long samples = memory.get(Value.U32, 0) & 0xffff_ffffL;
    long from = memory.get(Value.U32, Integer.BYTES) & 0xffff_ffffL;
    long to = memory.get(Value.U32, 2 * Integer.BYTES) & 0xffff_ffffL;
    if (samples != shard.about().samples()) {
      throw new DecodeException(
          Fault.MISMATCH,
          "%d samples, the index says %d".formatted(samples, shard.about().samples()));
    }
    if (from < table || to < from || to > file.size()) {
      throw new DecodeException(
          Fault.CORRUPT,
          "the sample lies from %d to %d, in a file of %d bytes".formatted(from, to, file.size()));
    }
    into.place(shard.name(), sample, from);
    into.key(shard.key(sample));
    file.read(from, into.ensure(to - from).asSlice(0, to - from));
    into.storedBytes(to - from);
    shard.columns().fill(into, (int) (to - from));
  }

  @Override
  public void close() {
    // files belong to the dataset
  }
}
