package io.headrace.format.tfrecord;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset.SampleCursor;
import io.headrace.format.Sample;
import io.headrace.store.FileStream;
import java.io.IOException;

/// Streams the samples of one shard.
final class TfRecordCursor implements SampleCursor {
  private final TfRecordShard shard;
  private final FileStream stream;
  private final RecordReader records;
  private final ImageRecordReader images;
  private boolean resumable;
  private boolean ended;

  /// @param stream of the file, from which `records` reads
  TfRecordCursor(
      TfRecordShard shard, FileStream stream, RecordReader records, ImageRecordReader images) {
    this.images = images;
    this.shard = shard;
    this.stream = stream;
    this.records = records;
  }

  @Override
  public boolean next(Sample into) throws IOException {
    resumable = false;
    if (ended) {
      return false;
    }
    long length;
    try {
      length = records.next(into.block());
    } catch (CorruptDataException e) {
      resumable = records.resumable();
      ended = !resumable;
      into.place(shard.name(), e.where().record(), e.where().offset());
      throw e;
    }
    if (length < 0) {
      ended = true;
      shard.checkCount(records.record() + 1);
      return false;
    }
    into.place(shard.name(), records.record(), records.offset());
    try {
      images.fill(into, 0, length, shard.base(), records.record());
    } catch (DecodeException e) {
      resumable = true;
      throw CorruptDataException.at(into.location(), e);
    }
    return true;
  }

  @Override
  public boolean resumable() {
    return resumable;
  }

  @Override
  public long bytesRead() {
    return stream.position();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
