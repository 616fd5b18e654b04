package io.headrace.format.tfrecord;

import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.shard.StreamShard;
import io.headrace.memory.BufferPool;
import io.headrace.store.ByteFile;
import io.headrace.store.FileStream;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One file of a TFRecord dataset, as it was when the dataset was opened.
final class TfRecordShard extends StreamShard<RecordIndex> {
  private final String base;

  /// Looks at a file's first bytes.
  ///
  /// @param compression the kind it must have, or null
  /// @param declared records it must have, or -1
  /// @throws io.headrace.error.CorruptDataException with [io.headrace.error.Fault#MISMATCH] if it
  ///     is of another kind
  TfRecordShard(Path path, Store store, @Nullable StreamKind compression, long declared)
      throws IOException {
    super(path, store, "records", compression, declared, StreamDetector::detect);
    base = ShardFiles.baseName(path);
  }

  /// {@return the file's own name, for keys}
  String base() {
    return base;
  }

  @Override
  protected RecordIndex walk() {
    return RecordIndex.of(file(), name());
  }

  /// {@return a cursor over all samples from the first}
  TfRecordCursor cursor(int maxWindowLog, BufferPool buffers, ImageRecordReader images)
      throws IOException {
    ByteFile opened = file().openAnother();
    var stream = new FileStream(opened);
    return new TfRecordCursor(
        this, stream, reader(stream, opened.size(), maxWindowLog, buffers), images);
  }

  /// {@return a reader of all records from the first}
  RecordReader reader(int maxWindowLog, BufferPool buffers) throws IOException {
    ByteFile opened = file().openAnother();
    return reader(new FileStream(opened), opened.size(), maxWindowLog, buffers);
  }

  private RecordReader reader(FileStream stream, long size, int maxWindowLog, BufferPool buffers)
      throws IOException {
    try {
      if (indexed()) {
        return new RecordReader(stream, name(), size, buffers);
      }
      var plain = Streams.decompress(stream, kind(), name(), maxWindowLog, buffers);
      return new RecordReader(plain, name(), -1, buffers);
    } catch (RuntimeException e) {
      stream.close();
      throw e;
    }
  }
}
