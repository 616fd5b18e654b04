package io.headrace.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// A file's bytes from first to last, for readers of streams. For one thread; any thread may ask
/// for [#position] and [#bytesRead].
public final class FileStream implements ReadableByteChannel {
  /// Bytes that are read at once for a buffer on the heap: a store fills memory off the heap only.
  private static final int HEAP_CHUNK = 64 << 10;

  private final ByteFile file;
  private final boolean owner;
  private volatile long position;
  private volatile long read;

  /// A stream at the first byte.
  ///
  /// @param file closed with this
  public FileStream(ByteFile file) {
    this(file, 0, true);
  }

  /// A stream at any byte.
  ///
  /// @param owner whether the file is closed with this
  public FileStream(ByteFile file, long position, boolean owner) {
    this.file = file;
    this.position = position;
    this.owner = owner;
  }

  /// {@return where the next byte lies}
  public long position() {
    return position;
  }

  /// {@return bytes read so far, without those passed over}
  public long bytesRead() {
    return read;
  }

  /// {@return the size of the file in bytes}
  public long size() {
    return file.size();
  }

  /// Goes to another place.
  public void seek(long to) {
    position = to;
  }

  /// Passes over bytes without reading them.
  ///
  /// @return bytes passed over, fewer than `length` only where the file ends
  public long skip(long length) {
    long at = position;
    long n = Math.min(length, file.size() - at);
    position = at + n;
    return n;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    long at = position;
    long before = read;
    long left = file.size() - at;
    if (left <= 0) {
      return -1;
    }
    int length = (int) Math.min(left, into.remaining());
    if (into.isDirect()) {
      file.read(at, MemorySegment.ofBuffer(into).asSlice(0, length));
      into.position(into.position() + length);
    } else {
      length = Math.min(length, HEAP_CHUNK);
      ByteBuffer direct = ByteBuffer.allocateDirect(length);
      file.read(at, MemorySegment.ofBuffer(direct));
      into.put(direct);
    }
    position = at + length;
    read = before + length;
    return length;
  }

  @Override
  public boolean isOpen() {
    return file.isOpen();
  }

  @Override
  public void close() throws IOException {
    if (owner) {
      file.close();
    }
  }
}
