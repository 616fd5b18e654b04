package io.headrace.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Off-heap buffers of one size, lent to objects that are opened and closed often, from any thread.
///
/// Closing a shared arena is a handshake with all threads, and fresh memory has to be zeroed. An
/// arena of its own would cost a reader of a small file more than the reading. The pool makes as
/// many buffers as are lent at one time. Thread-safe.
public final class BufferPool implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  private final long bytes;
  private final ArrayDeque<MemorySegment> idle = new ArrayDeque<>();
  private @Nullable Arena arena;
  private int lent;
  private boolean closed;

  /// An empty pool, which takes no memory before it lends any.
  ///
  /// @param bytes of each buffer
  public BufferPool(long bytes) {
    this.bytes = bytes;
  }

  /// {@return a buffer for the caller alone, with undefined content, to be given back. A closed
  ///     pool still lends until all its buffers are given back}
  ///
  /// @throws IllegalStateException if the pool was closed before, and all is given back
  public synchronized MemorySegment take() {
    if (closed && lent == 0) {
      throw new IllegalStateException("the pool is closed");
    }
    MemorySegment buffer = idle.pollLast(); // the one used last, which a cache may still hold
    if (buffer == null) {
      buffer = memory().allocate(bytes, ALIGNMENT);
    }
    lent++;
    return buffer;
  }

  @SuppressWarnings("MustBeClosedChecker") // the pool owns it: free() closes it
  private synchronized Arena memory() {
    Arena from = arena;
    if (from == null) {
      from = Arena.ofShared();
      arena = from;
    }
    return from;
  }

  /// Takes a buffer back.
  ///
  /// @param buffer as it was lent, not used any more
  public synchronized void giveBack(MemorySegment buffer) {
    idle.addLast(buffer);
    lent--;
    free();
  }

  /// Frees all memory, once all is given back.
  @Override
  public synchronized void close() {
    closed = true;
    free();
  }

  private synchronized void free() {
    Arena from = arena;
    if (closed && lent == 0 && from != null) {
      arena = null;
      idle.clear();
      from.close();
    }
  }
}
