package io.headrace.format.tfrecord;

import io.headrace.codec.stream.StreamKind;
import io.headrace.codec.stream.Streams;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.KeptFile;
import io.headrace.format.ShardFiles;
import io.headrace.memory.BufferPool;
import io.headrace.store.ByteFile;
import io.headrace.store.FileStream;
import io.headrace.store.Store;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One file of a TFRecord dataset, as it was when the dataset was opened.
final class TfRecordShard implements Closeable {
  private final Path path;
  private final String name;
  private final String base;
  private final long declared;
  private final KeptFile kept;
  private final StreamKind kind;
  private @Nullable RecordIndex index;

  private TfRecordShard(Path path, long declared, KeptFile kept, StreamKind kind) {
    this.path = path;
    this.name = path.toString();
    this.base = ShardFiles.baseName(path);
    this.declared = declared;
    this.kept = kept;
    this.kind = kind;
  }

  /// Looks at a file's first bytes.
  ///
  /// @param compression the kind it must have, or null
  /// @param declared records it must have, or -1
  /// @throws CorruptDataException with [Fault#MISMATCH] if it is of another kind
  static TfRecordShard open(Store store, Path path, @Nullable StreamKind compression, long declared)
      throws IOException {
    try (ByteFile file = store.open(path)) {
      StreamKind found = StreamDetector.detect(file);
      if (file.size() == 0 || compression == null || compression == found) {
        StreamKind kind = file.size() == 0 ? StreamKind.NONE : found;
        return new TfRecordShard(path, declared, KeptFile.like(path, store, file), kind);
      }
      boolean plain = found == StreamKind.NONE;
      throw new CorruptDataException(
          Fault.MISMATCH,
          "declared as %s, but is %s"
              .formatted(compression.label(), plain ? "not compressed (none)" : found.label()),
          Location.of(path.toString()),
          null);
    }
  }

  Path path() {
    return path;
  }

  /// {@return the path in words, for places}
  String name() {
    return name;
  }

  /// {@return the file's own name, for keys}
  String base() {
    return base;
  }

  StreamKind kind() {
    return kind;
  }

  long bytes() {
    return kept.size();
  }

  /// {@return records that the manifest declares, or -1}
  long declared() {
    return declared;
  }

  /// {@return records in the file, plus one that stands for a damaged tail; or as many as declared}
  long records() {
    if (declared >= 0) {
      return declared;
    }
    RecordIndex i = index();
    return i.count() + (i.fault() == null ? 0L : 1L);
  }

  /// Checks that nothing follows the records that the manifest declares.
  ///
  /// @throws CorruptDataException with [Fault#MISMATCH] if something does
  void checkNotMore() throws CorruptDataException {
    RecordIndex i = index();
    if (declared >= 0 && (i.count() > declared || (i.count() == declared && i.fault() != null))) {
      throw new CorruptDataException(
          Fault.MISMATCH,
          "more than the %d records that the manifest says: %d records in %d bytes"
              .formatted(declared, i.count(), kept.size()),
          Location.of(name),
          i.fault());
    }
  }

  synchronized RecordIndex index() {
    RecordIndex i = index;
    if (i == null) {
      i = RecordIndex.of(kept, name);
      index = i;
    }
    return i;
  }

  /// {@return the open file}
  ByteFile file() {
    return kept;
  }

  /// {@return a cursor over all samples from the first}
  TfRecordCursor cursor(int maxWindowLog, BufferPool buffers, ImageRecordReader images)
      throws IOException {
    ByteFile opened = kept.openAnother();
    var stream = new FileStream(opened);
    return new TfRecordCursor(
        this, stream, reader(stream, opened.size(), maxWindowLog, buffers), images);
  }

  /// {@return a reader of all records from the first}
  RecordReader reader(int maxWindowLog, BufferPool buffers) throws IOException {
    ByteFile opened = kept.openAnother();
    return reader(new FileStream(opened), opened.size(), maxWindowLog, buffers);
  }

  private RecordReader reader(FileStream stream, long size, int maxWindowLog, BufferPool buffers)
      throws IOException {
    try {
      if (kind == StreamKind.NONE) {
        return new RecordReader(stream, name, size, buffers);
      }
      var plain = Streams.decompress(stream, kind, name, maxWindowLog, buffers);
      return new RecordReader(plain, name, -1, buffers);
    } catch (RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    kept.close();
  }
}
