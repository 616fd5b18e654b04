package io.headrace.sound;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Where decoded samples go: a block that grows, or a segment of a given size.
final class Target {
  private @Nullable Block block;
  private MemorySegment memory = MemorySegment.NULL;

  void set(Block block) {
    this.block = block;
    memory = block.memory();
  }

  void set(MemorySegment fixed) {
    block = null;
    memory = fixed;
  }

  void clear() {
    set(MemorySegment.NULL);
  }

  /// {@return memory of at least `bytes`, with what was there before}
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the budget does not allow it, with
  ///     [Fault#MISMATCH] if the segment is too small
  MemorySegment ensure(long bytes) throws DecodeException {
    if (bytes > memory.byteSize()) {
      Block growing = block;
      if (growing == null) {
        throw new DecodeException(
            Fault.MISMATCH,
            "more than the %d bytes of samples that were announced".formatted(memory.byteSize()));
      }
      memory = growing.ensureKeeping(bytes);
    }
    return memory;
  }
}
