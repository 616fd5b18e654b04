package io.headrace.format.tfrecord;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.LevelChoice;
import io.headrace.format.Sample;
import io.headrace.format.shard.ShardStarts;
import io.headrace.memory.Block;
import io.headrace.store.Gather;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads single samples of uncompressed shards: one read of the file per sample, or for several
/// that are expected and lie together.
final class TfRecordSampleReader implements SampleReader {
  private final List<TfRecordShard> shards;
  /// Number of the first record of each shard, and the total.
  private final long[] starts;
  private final MaskedCrc crc = new MaskedCrc();
  private final ImageRecordReader images;
  private @Nullable Gather gather;

  TfRecordSampleReader(List<TfRecordShard> shards, long[] starts, ImageRecordReader images) {
    this.images = images;
    this.shards = shards;
    this.starts = starts;
  }

  @Override
  public boolean expect(
      long[] samples, int[] fidelities, int count, @Nullable LevelChoice choice, Gather pieces) {
    gather = pieces;
    for (int i = 0; i < count; i++) {
      int s = ShardStarts.shardOf(starts, samples[i]);
      RecordIndex records = shards.get(s).index();
      long record = samples[i] - starts[s];
      if (record < records.count()) {
        long offset = records.offset(record);
        pieces.want(s, offset, records.offset(record + 1) - offset);
      }
    }
    return true;
  }

  @Override
  public void read(long index, Sample into) throws IOException {
    int s = ShardStarts.shardOf(starts, index);
    TfRecordShard shard = shards.get(s);
    RecordIndex records = shard.index();
    long record = index - starts[s];
    long offset = records.offset(Math.min(record, records.count()));
    into.place(shard.name(), record, offset);
    if (record >= records.count()) {
      throw shard.lost(new Location(shard.name(), record, null, offset));
    }
    long frame = records.offset(record + 1) - offset;
    try {
      MemorySegment memory = into.ensure(frame);
      readFrame(shard, s, into.block(), frame, offset, record);
      long length = frame - Framing.HEADER - Framing.FOOTER;
      int computed = crc.of(into.block(), Framing.HEADER, length);
      int stored = Framing.payloadCrc(memory, Framing.HEADER, length);
      if (computed != stored) {
        throw new DecodeException(
            Fault.CORRUPT, "payload CRC-32C is %08x, file says %08x".formatted(computed, stored));
      }
      images.fill(into, Framing.HEADER, length, shard.base(), record);
      into.storedBytes(frame);
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    }
  }

  private void readFrame(
      TfRecordShard shard, int number, Block into, long frame, long offset, long record)
      throws IOException, DecodeException {
    try {
      Gather.read(gather, number, shard.file(), offset, into, 0, frame);
    } catch (CorruptDataException e) {
      throw new CorruptDataException(
          Fault.MISMATCH,
          "the file has changed since it was indexed: " + e.reason(),
          new Location(shard.name(), record, null, offset),
          e);
    }
    MemorySegment memory = into.memory();
    if (crc.of(into, 0, Long.BYTES) != Framing.lengthCrc(memory, 0)
        || Framing.length(memory, 0) != frame - Framing.HEADER - Framing.FOOTER) {
      throw new DecodeException(
          Fault.MISMATCH,
          "the file has changed since it was indexed: no record of %d bytes begins here"
              .formatted(frame));
    }
  }

  @Override
  public void close() {
    // the files belong to the dataset
  }
}
