package io.headrace.memory;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Off-heap memory with one owner that grows when asked and never shrinks, until closed.
///
/// Growth doubles, so a reused block soon stops allocating. Any thread may use it, one at a time.
/// Views are valid until the next [#ensure] that grows, or [#close].
public final class Block implements AutoCloseable {
  /// The most bytes of a block, and so of a sample: as many as a buffer can have.
  public static final long MAX_BYTES = Integer.MAX_VALUE;

  private static final long ALIGNMENT = 64;
  private static final ByteBuffer NONE = ByteBuffer.allocateDirect(0);

  private final MemoryBudget budget;
  private final boolean owner;
  private Arena arena;
  private long taken;
  private MemorySegment memory = MemorySegment.NULL;
  private ByteBuffer buffer = NONE;
  private boolean closed;

  /// An empty block that counts its bytes against `budget`.
  @SuppressWarnings("MustBeClosedChecker") // the block owns it: close() closes it
  public Block(MemoryBudget budget) {
    this.budget = budget;
    arena = Arena.ofShared();
    owner = true;
  }

  /// An empty block that takes its memory from `lender`, for a pool of many blocks that live and
  /// die together: there is one arena to close, and closing one costs a third of a millisecond.
  /// Memory that a block has outgrown stays taken until the lender closes: at most as much again as
  /// the block holds.
  public Block(MemoryBudget budget, Arena lender) {
    this.budget = budget;
    arena = lender;
    owner = false;
  }

  /// Checks that a block can have so many bytes, before these are read or passed over.
  ///
  /// @throws DecodeException with [Fault#LIMIT] if they are more than [#MAX_BYTES]
  public static void requirePossible(long bytes) throws DecodeException {
    if (bytes > MAX_BYTES) {
      throw new DecodeException(
          Fault.LIMIT,
          "needs %d bytes in one piece, at most %d are read".formatted(bytes, MAX_BYTES));
    }
  }

  /// {@return memory of at least `bytes`, whose content is lost if it had to grow}
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the budget does not allow it, or they are more
  ///     than [#MAX_BYTES]
  public MemorySegment ensure(long bytes) throws DecodeException {
    if (bytes > memory.byteSize()) {
      grow(bytes, false);
    }
    return memory;
  }

  /// {@return memory of at least `bytes`, which keeps its content if it had to grow}
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the budget does not allow it, or they are more
  ///     than [#MAX_BYTES]
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

  /// {@return some of the memory as a buffer, for channels and checksums: one object for as long as
  /// the memory stays, so that nothing is allocated for a sample}
  ///
  /// @param offset of its position in the memory, in bytes
  /// @param length bytes from its position to its limit
  public ByteBuffer buffer(long offset, long length) {
    int start = Math.toIntExact(offset);
    return buffer.limit(Math.toIntExact(offset + length)).position(start);
  }

  @SuppressWarnings("MustBeClosedChecker") // the block owns it: close() closes it
  private void grow(long bytes, boolean keep) throws DecodeException {
    if (closed) {
      throw new IllegalStateException("block is closed");
    }
    requirePossible(bytes);
    long old = memory.byteSize();
    long given = owner ? old : 0; // released by growing
    long size = Math.clamp(Math.min(2 * old, old + (64L << 20)), Math.max(4096, bytes), MAX_BYTES);
    if (!budget.tryReserve(size - given)) {
      size = bytes;
      if (!budget.tryReserve(size - given)) {
        throw new DecodeException(
            Fault.LIMIT,
            "needs %d bytes of memory, but %d of %d are taken"
                .formatted(bytes, budget.reserved() - given, budget.limit()));
      }
    }
    taken += size - given;
    MemorySegment was = memory;
    Arena previous = arena;
    if (owner) {
      arena = Arena.ofShared();
    }
    try {
      memory = arena.allocate(size, ALIGNMENT);
      if (keep) {
        MemorySegment.copy(was, 0, memory, 0, old);
      }
      buffer = memory.asByteBuffer();
    } finally {
      if (owner) {
        previous.close();
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      budget.release(taken);
      memory = MemorySegment.NULL;
      buffer = NONE;
      if (owner) {
        arena.close();
      }
    }
  }
}
