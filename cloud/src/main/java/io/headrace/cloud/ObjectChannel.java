package io.headrace.cloud;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/// An object that is read: ranges at positions as they are asked for, or its bytes from first to
/// last, which are then read ahead.
final class ObjectChannel extends FileChannel {
  private final CloudPath path;
  private final Found object;
  private final Ahead ahead;
  private long position;

  ObjectChannel(CloudPath path, Found object) {
    this.path = path;
    this.object = object;
    ahead = new Ahead(path, object);
  }

  @Override
  public synchronized int read(ByteBuffer into) throws IOException {
    int n = read(into, position);
    position += Math.max(0, n);
    return n;
  }

  @Override
  public synchronized long read(ByteBuffer[] into, int offset, int length) throws IOException {
    long sum = 0;
    for (int i = offset; i < offset + length; i++) {
      int n = into[i].hasRemaining() ? read(into[i]) : 0;
      if (n < 0) {
        return sum == 0 ? -1 : sum;
      }
      sum += n;
    }
    return sum;
  }

  @Override
  public int read(ByteBuffer into, long at) throws IOException {
    requireOpen();
    if (at < 0) {
      throw new IllegalArgumentException("position " + at);
    }
    long left = object.size() - at;
    if (left <= 0) {
      return into.hasRemaining() ? -1 : 0;
    }
    int length = (int) Math.min(left, into.remaining());
    if (length == 0) {
      return 0;
    }
    int limit = into.limit();
    into.limit(into.position() + length);
    try {
      if (!ahead.read(at, into)) {
        path.getFileSystem().bucket().read(path.key(), object, at, into);
      }
    } finally {
      into.limit(limit);
    }
    return length;
  }

  private void requireOpen() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public synchronized long position() {
    return position;
  }

  @Override
  public synchronized FileChannel position(long to) {
    position = to;
    return this;
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return object.size();
  }

  @Override
  public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
    var buffer = ByteBuffer.allocate(Math.clamp(count, 0, 1 << 20));
    long done = 0;
    while (done < count) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), count - done));
      int n = read(buffer, from + done);
      if (n <= 0) {
        break;
      }
      buffer.flip();
      while (buffer.hasRemaining()) {
        target.write(buffer);
      }
      done += n;
    }
    return done;
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long from, long size) throws IOException {
    throw new IOException(path + " cannot be mapped: objects are read by --store page");
  }

  @Override
  public void force(boolean metadata) {}

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new NonWritableChannelException();
  }

  @Override
  public int write(ByteBuffer source, long at) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long at, long count) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileLock lock(long at, long size, boolean shared) {
    throw new UnsupportedOperationException("an object that is read has no locks");
  }

  @Override
  public FileLock tryLock(long at, long size, boolean shared) {
    throw new UnsupportedOperationException("an object that is read has no locks");
  }

  @Override
  protected void implCloseChannel() {
    ahead.close();
  }
}
