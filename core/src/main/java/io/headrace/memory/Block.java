package io.headrace.memory;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Off-heap memory with one owner that grows when asked and never shrinks, until closed.
///
/// Growth doubles, so a reused block soon stops allocating. Any thread may use it, one at a time.
/// Views die at the next [#ensure] that grows and at [#close].
public final class Block implements AutoCloseable {
  private static final long ALIGNMENT = 64;

  private final MemoryBudget budget;
  private Arena arena = Arena.ofShared();
  private MemorySegment memory = MemorySegment.NULL;
  private boolean closed;

  /// An empty block that counts its bytes against `budget`.
  public Block(MemoryBudget budget) {
    this.budget = budget;
  }

  /// {@return memory of at least `bytes`, whose content is lost if it had to grow}
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the budget does not allow it
  public MemorySegment ensure(long bytes) throws DecodeException {
    if (bytes > memory.byteSize()) {
      grow(bytes, false);
    }
    return memory;
  }

  /// {@return memory of at least `bytes`, which keeps its content if it had to grow}
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the budget does not allow it
  public MemorySegment ensureKeeping(long bytes) throws DecodeException {
    if (bytes > memory.byteSize()) {
      grow(bytes, true);
    }
    return memory;
  }

  /// {@return the memory as it is now}
  public MemorySegment memory() {
    return memory;
  }

  @SuppressWarnings("MustBeClosedChecker") // the block owns it: close() closes it
  private void grow(long bytes, boolean keep) throws DecodeException {
    if (closed) {
      throw new IllegalStateException("block is closed");
    }
    long old = memory.byteSize();
    long size = Math.max(4096, Math.max(bytes, Math.min(2 * old, old + (64L << 20))));
    if (!budget.tryReserve(size - old)) {
      size = bytes;
      if (!budget.tryReserve(size - old)) {
        throw new DecodeException(
            Fault.LIMIT,
            "needs %d bytes of memory, but %d of %d are taken"
                .formatted(bytes, budget.reserved() - old, budget.limit()));
      }
    }
    MemorySegment was = memory;
    Arena previous = arena;
    arena = Arena.ofShared();
    try (previous) {
      memory = arena.allocate(size, ALIGNMENT);
      if (keep) {
        MemorySegment.copy(was, 0, memory, 0, old);
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      budget.release(memory.byteSize());
      memory = MemorySegment.NULL;
      arena.close();
    }
  }
}
