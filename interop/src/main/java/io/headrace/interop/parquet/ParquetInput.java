package io.headrace.interop.parquet;

import dev.hardwood.InputFile;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.files.ShardFiles;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A file of a store for the Parquet library, which asks for a column of a row group at a time.
/// Thread-safe.
final class ParquetInput implements InputFile {
  private final Path path;
  private final ByteFile file;
  private final AtomicLong bytesRead = new AtomicLong();
  private final AtomicInteger readsRunning = new AtomicInteger();

  ParquetInput(Path path, Store store) throws IOException {
    this.path = path;
    file = store.open(path);
  }

  /// {@return bytes read so far}
  long bytesRead() {
    return bytesRead.get();
  }

  /// {@return whether a read is under way}
  boolean reading() {
    return readsRunning.get() > 0;
  }

  /// {@return what the file is, if its first bytes are known as those of something else}
  @Nullable DecodeException foreign() throws IOException {
    return ShardFiles.foreign(file, "a Parquet file");
  }

  @Override
  public void open() {
    // it is open already
  }

  @Override
  public ByteBuffer readRange(long offset, int length) throws IOException {
    if (offset < 0 || length < 0 || length > file.size() - offset) {
      throw new CorruptDataException(
          Fault.TRUNCATED,
          "%d bytes at %d are asked for, the file has %d".formatted(length, offset, file.size()),
          new Location(path.toString(), -1, null, Math.max(0, offset)),
          null);
    }
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    readsRunning.incrementAndGet();
    try {
      file.read(offset, MemorySegment.ofBuffer(bytes));
    } finally {
      readsRunning.decrementAndGet();
    }
    bytesRead.addAndGet(length);
    return bytes;
  }

  @Override
  public long length() {
    return file.size();
  }

  @Override
  public String name() {
    return path.toString();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
