package io.headrace.format;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A file of a dataset, which must stay as it was when the dataset was opened. It is opened when
/// first needed, and again where an interrupted read has closed it. Thread-safe.
public final class KeptFile implements Closeable {
  private final Path path;
  private final Store store;
  private final long bytes;
  private final @Nullable FileTime modified;
  private volatile @Nullable ByteFile open;

  private KeptFile(Path path, Store store, ByteFile seen, @Nullable ByteFile open)
      throws IOException {
    this.path = path;
    this.store = store;
    bytes = seen.size();
    modified = modified(path);
    this.open = open;
  }

  /// {@return the file that `seen` is, which stays the caller's}
  public static KeptFile like(Path path, Store store, ByteFile seen) throws IOException {
    return new KeptFile(path, store, seen, null);
  }

  /// {@return the file that `opened` is, which is closed with this}
  public static KeptFile of(Path path, Store store, ByteFile opened) throws IOException {
    return new KeptFile(path, store, opened, opened);
  }

  /// {@return when it was written last, or null if the store has it elsewhere}
  private static @Nullable FileTime modified(Path path) throws IOException {
    return Files.exists(path) ? Files.getLastModifiedTime(path) : null;
  }

  /// {@return its path}
  public Path path() {
    return path;
  }

  /// {@return its size in bytes when the dataset was opened}
  public long bytes() {
    return bytes;
  }

  /// {@return the open file}
  ///
  /// @throws CorruptDataException with [Fault#MISMATCH] if it is not the one the dataset was opened
  ///     with
  public ByteFile file() throws IOException {
    ByteFile f = open;
    return f != null && f.isOpen() ? f : reopen();
  }

  private synchronized ByteFile reopen() throws IOException {
    ByteFile f = open;
    if (f == null || !f.isOpen()) {
      f = openAnother();
      open = f;
    }
    return f;
  }

  /// {@return the file, opened once more, to be closed by the caller}
  ///
  /// @throws CorruptDataException with [Fault#MISMATCH] if it is not the one the dataset was opened
  ///     with
  public ByteFile openAnother() throws IOException {
    ByteFile f = store.open(path);
    if (f.size() != bytes || !Objects.equals(modified(path), modified)) {
      f.close();
      throw new CorruptDataException(
          Fault.MISMATCH,
          "the file has changed since the dataset was opened: %d bytes then, %d now"
              .formatted(bytes, f.size()),
          Location.of(path.toString()),
          null);
    }
    return f;
  }

  @Override
  public void close() throws IOException {
    ByteFile f = open;
    if (f != null) {
      f.close();
    }
  }
}
