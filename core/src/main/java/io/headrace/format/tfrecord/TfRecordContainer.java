package io.headrace.format.tfrecord;

import io.headrace.codec.stream.Compression;
import io.headrace.error.DecodeException;
import io.headrace.format.Container;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.format.ShardWriter;
import io.headrace.memory.Block;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// TFRecord shards of `tf.train.Example` records, to be written. See [ImageRecord].
///
/// @param compression of each shard as a whole
public record TfRecordContainer(Compression compression) implements Container {
  /// The name in manifests.
  public static final String NAME = "tfrecord";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String extension() {
    return ".tfrecord";
  }

  @Override
  public SamplePacker newPacker() {
    return new Packer();
  }

  @Override
  public ShardWriter newShard(ShardTarget target) throws IOException {
    return new Shard(new RecordWriter(target.bytes(), compression));
  }

  private static final class Packer implements SamplePacker {
    private final ImageRecordWriter writer = new ImageRecordWriter();

    @Override
    public long pack(SampleMeta meta, MemorySegment encoded, Sample source, Block into)
        throws DecodeException {
      var record =
          new ImageRecord(
              meta.key(),
              meta.label(),
              meta.className(),
              meta.format(),
              meta.width(),
              meta.height(),
              meta.channels());
      return source.fields() == 0 && !record.isSound()
          ? writer.write(record, encoded, into)
          : record.write(encoded, source, into).byteSize();
    }

    @Override
    public void close() {
      // holds nothing
    }
  }

  /// Records after each other, in one stream.
  private static final class Shard implements ShardWriter {
    private final RecordWriter records;
    private boolean finished;

    Shard(RecordWriter records) {
      this.records = records;
    }

    @Override
    public void write(SampleMeta meta, MemorySegment packed) throws IOException {
      records.write(packed);
    }

    @Override
    public void finish() throws IOException {
      close();
    }

    @Override
    public void close() throws IOException {
      if (!finished) {
        finished = true;
        records.close();
      }
    }
  }
}
