package io.headrace.format.files;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.memory.Block;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A file of a dataset, which must stay as it was when the dataset was opened: opened when first
/// needed, and again where an interrupted read has closed it. So a reader that is interrupted makes
/// no other fail, and after [#close] every read throws [ClosedChannelException]. Thread-safe.
public final class KeptFile implements ByteFile {
  private final Path path;
  private final Store store;
  private final long bytes;
  private final @Nullable FileTime modified;
  private volatile @Nullable ByteFile open;
  private volatile boolean closed;

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

  @Override
  public Path path() {
    return path;
  }

  /// {@return its size in bytes when the dataset was opened}
  @Override
  public long size() {
    return bytes;
  }

  /// @throws CorruptDataException also with [Fault#MISMATCH] if it is not the file that the dataset
  ///     was opened with
  @Override
  public void read(long position, MemorySegment into) throws IOException {
    while (true) {
      ByteFile f = file();
      try {
        f.read(position, into);
        return;
      } catch (ClosedChannelException e) {
        requireAnother(f, e);
      }
    }
  }

  /// @throws CorruptDataException also with [Fault#MISMATCH] if it is not the file that the dataset
  ///     was opened with
  @Override
  public void read(long position, Block into, long offset, long length) throws IOException {
    while (true) {
      ByteFile f = file();
      try {
        f.read(position, into, offset, length);
        return;
      } catch (ClosedChannelException e) {
        requireAnother(f, e);
      }
    }
  }

  /// Throws what a read of a file failed of, unless that was closed by the interruption of another
  /// thread, so that reading it anew may go well.
  private void requireAnother(ByteFile found, ClosedChannelException e)
      throws ClosedChannelException {
    if (closed || e instanceof ClosedByInterruptException || found.isOpen()) {
      throw e;
    }
  }

  private ByteFile file() throws IOException {
    ByteFile f = open;
    return f != null && f.isOpen() ? f : reopen();
  }

  private synchronized ByteFile reopen() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    ByteFile f = open;
    if (f == null || !f.isOpen()) {
      ByteFile another = openAnother();
      open = another;
      if (f != null) {
        f.close(); // what it holds beside its channel
      }
      f = another;
    }
    return f;
  }

  /// {@return the file, opened once more, to be closed by the caller}
  ///
  /// @throws CorruptDataException with [Fault#MISMATCH] if it is not the one the dataset was opened
  ///     with
  public ByteFile openAnother() throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    ByteFile f = store.open(path);
    boolean same = false;
    try {
      same = f.size() == bytes && Objects.equals(modified(path), modified);
    } finally {
      if (!same) {
        f.close();
      }
    }
    if (!same) {
      throw new CorruptDataException(
          Fault.MISMATCH,
          "the file has changed since the dataset was opened: %d bytes then, %d now"
              .formatted(bytes, f.size()),
          Location.of(path.toString()),
          null);
    }
    return f;
  }

  /// {@return whether a read failed since its thread was interrupted or the dataset was closed,
  /// which says nothing of the file}
  public static boolean stopped(IOException e) {
    return e instanceof ClosedChannelException || e instanceof InterruptedIOException;
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    ByteFile f = open;
    open = null;
    if (f != null) {
      f.close();
    }
  }
}
