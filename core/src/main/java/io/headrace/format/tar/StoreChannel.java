package io.headrace.format.tar;

import io.headrace.store.ByteFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// A file of a store as a channel that owns it. Passing bytes over reads nothing.
final class StoreChannel implements ReadableByteChannel {
  private static final int HEAP_CHUNK = 64 << 10;

  private final ByteFile file;
  private final boolean owner;
  private long position;
  private long read;
  private boolean open = true;

  /// @param owner whether closing the channel closes the file
  StoreChannel(ByteFile file, long position, boolean owner) {
    this.file = file;
    this.position = position;
    this.owner = owner;
  }

  long size() {
    return file.size();
  }

  /// {@return bytes read so far}
  long bytesRead() {
    return read;
  }

  void position(long to) {
    position = to;
  }

  /// {@return bytes passed over, fewer than `length` only where the file ends}
  long skip(long length) {
    long n = Math.min(length, file.size() - position);
    position += n;
    return n;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (position >= file.size()) {
      return -1;
    }
    int n = (int) Math.min(into.remaining(), file.size() - position);
    if (into.isDirect()) {
      file.read(position, MemorySegment.ofBuffer(into).asSlice(0, n));
      into.position(into.position() + n);
    } else {
      n = Math.min(n, HEAP_CHUNK); // a store fills memory off the heap only
      ByteBuffer chunk = ByteBuffer.allocateDirect(n);
      file.read(position, MemorySegment.ofBuffer(chunk));
      into.put(chunk);
    }
    position += n;
    read += n;
    return n;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() throws IOException {
    open = false;
    if (owner) {
      file.close();
    }
  }
}
