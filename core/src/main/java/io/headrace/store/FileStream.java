package io.headrace.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// A file's bytes from first to last, for readers of streams. Owns the file. For one thread; any
/// thread may ask for [#position].
public final class FileStream implements ReadableByteChannel {
  private final ByteFile file;
  private volatile long position;

  /// A stream at the first byte.
  public FileStream(ByteFile file) {
    this.file = file;
  }

  /// {@return bytes taken so far}
  public long position() {
    return position;
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
    long left = file.size() - at;
    if (left <= 0) {
      return -1;
    }
    int length = (int) Math.min(left, into.remaining());
    if (into.isDirect()) {
      file.read(at, MemorySegment.ofBuffer(into).asSlice(0, length));
      into.position(into.position() + length);
    } else {
      ByteBuffer direct = ByteBuffer.allocateDirect(length);
      file.read(at, MemorySegment.ofBuffer(direct));
      into.put(direct);
    }
    position = at + length;
    return length;
  }

  @Override
  public boolean isOpen() {
    return file.isOpen();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
