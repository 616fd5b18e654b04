package io.headrace.cloud;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An object that is written: into a local file first, which becomes the object when this is
/// closed. So there is never half of one.
final class UploadChannel extends FileChannel {
  private final CloudPath path;
  private final Path spool;
  private final FileChannel below;

  /// What is replaced: nothing of it was read yet.
  private @Nullable Found before;

  private volatile boolean written;
  private final boolean create;

  private UploadChannel(
      CloudPath path, Path spool, FileChannel below, @Nullable Found before, boolean create) {
    this.path = path;
    this.spool = spool;
    this.below = below;
    this.before = before;
    this.create = create;
  }

  static UploadChannel open(CloudPath path, Set<? extends OpenOption> options) throws IOException {
    CloudFileSystem system = path.getFileSystem();
    boolean isNew = options.contains(StandardOpenOption.CREATE_NEW);
    Found found = isNew ? system.bucket().stat(path.key()) : system.find(path);
    if (found != null && isNew) {
      throw new FileAlreadyExistsException(path.toString());
    }
    if (found == null && !isNew && !options.contains(StandardOpenOption.CREATE)) {
      throw new NoSuchFileException(path.toString(), null, "no such object");
    }
    if (found != null && found.folder()) {
      throw new IOException(path + " is a folder");
    }
    Path spool = Files.createTempFile("headrace-upload", null);
    try {
      FileChannel below =
          FileChannel.open(spool, StandardOpenOption.READ, StandardOpenOption.WRITE);
      boolean empties = options.contains(StandardOpenOption.TRUNCATE_EXISTING);
      var channel = new UploadChannel(path, spool, below, empties ? null : found, isNew);
      channel.written = found == null || empties;
      if (options.contains(StandardOpenOption.APPEND)) {
        channel.position(channel.size());
      }
      system.writes(path.key(), channel);
      return channel;
    } catch (IOException e) {
      Files.deleteIfExists(spool);
      throw e;
    }
  }

  /// Forgets what was written: the object was deleted meanwhile.
  void drop() {
    written = false;
  }

  /// {@return the local file with all that was there before}
  private synchronized FileChannel whole() throws IOException {
    Found old = before;
    if (old != null) {
      before = null;
      long at = below.position();
      try (var source = new ObjectChannel(path, old)) {
        below.transferFrom(source, 0, old.size());
      }
      below.position(at);
    }
    return below;
  }

  private FileChannel changed() throws IOException {
    FileChannel channel = whole();
    written = true;
    return channel;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return whole().read(into);
  }

  @Override
  public long read(ByteBuffer[] into, int offset, int length) throws IOException {
    return whole().read(into, offset, length);
  }

  @Override
  public int read(ByteBuffer into, long at) throws IOException {
    return whole().read(into, at);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return changed().write(source);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return changed().write(sources, offset, length);
  }

  @Override
  public int write(ByteBuffer source, long at) throws IOException {
    return changed().write(source, at);
  }

  @Override
  public long position() throws IOException {
    return below.position();
  }

  @Override
  public FileChannel position(long to) throws IOException {
    below.position(to);
    return this;
  }

  @Override
  public long size() throws IOException {
    Found old = before;
    return old == null ? below.size() : old.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    changed().truncate(size);
    return this;
  }

  /// Does nothing: the object is there, and safe, when this is closed.
  @Override
  public void force(boolean metadata) {}

  @Override
  public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
    return whole().transferTo(from, count, target);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) throws IOException {
    return changed().transferFrom(source, at, count);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long from, long size) throws IOException {
    throw new IOException(path + " cannot be mapped: it is an object");
  }

  @Override
  public FileLock lock(long at, long size, boolean shared) throws IOException {
    throw new UnsupportedOperationException("nobody waits for an object's lock");
  }

  /// Locks by making the object, which names who did. Where a process of this host that is no more
  /// left it, it is taken over.
  ///
  /// @throws IOException if another host holds it: which one, and what to delete if it is no more
  @Override
  public @Nullable FileLock tryLock(long at, long size, boolean shared) throws IOException {
    written = false;
    before = null;
    return ObjectLock.take(this, path);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    try (below) {
      path.getFileSystem().writes(path.key(), null);
      if (written) {
        if (Thread.currentThread().isInterrupted()) {
          throw new ClosedByInterruptException();
        }
        path.getFileSystem().bucket().put(path.key(), spool, create);
        path.getFileSystem().changed(path.key());
      }
    } finally {
      Files.deleteIfExists(spool);
    }
  }
}
