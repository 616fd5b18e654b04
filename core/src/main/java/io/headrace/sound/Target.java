package io.headrace.sound;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Where decoded samples go: a block that grows, or a segment of a given size; and how many may.
final class Target {
  private final long maxFrames;
  private SampleType type = SampleType.FLOAT32;
  private @Nullable Block block;
  private MemorySegment memory = MemorySegment.NULL;

  /// @param maxFrames frames that sound may have
  Target(long maxFrames) {
    this.maxFrames = maxFrames;
  }

  void set(SampleType type, Block block) {
    this.type = type;
    this.block = block;
    memory = block.memory();
  }

  void set(SampleType type, MemorySegment fixed) {
    this.type = type;
    block = null;
    memory = fixed;
  }

  void clear() {
    set(SampleType.FLOAT32, MemorySegment.NULL);
  }

  /// {@return the type of the samples}
  SampleType type() {
    return type;
  }

  /// @throws DecodeException with [Fault#LIMIT] if there are more frames than may be
  void require(String format, long frames) throws DecodeException {
    if (frames > maxFrames) {
      throw new DecodeException(
          Fault.LIMIT, "%s: %d frames, over the limit of %d".formatted(format, frames, maxFrames));
    }
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
