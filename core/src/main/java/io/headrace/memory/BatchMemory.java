package io.headrace.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Where the batches of a loader lie, for instance in memory that other processes see. Samples are
/// decoded straight into it.
@FunctionalInterface
public interface BatchMemory {
  /// Off-heap memory of this process alone.
  BatchMemory PRIVATE = BatchMemory::allocate;

  /// Where batches begin, in bytes.
  long ALIGNMENT = 64;

  /// Gives all batches their memory, once.
  ///
  /// @param batches how many there are
  /// @param bytes of each
  /// @param life closes with the loader; what is taken from it is freed then
  /// @return as many segments of at least so many bytes, at multiples of [#ALIGNMENT]
  /// @throws io.headrace.error.ConfigException if there is not enough
  List<MemorySegment> take(int batches, long bytes, Arena life);

  private static List<MemorySegment> allocate(int batches, long bytes, Arena life) {
    List<MemorySegment> taken = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      taken.add(life.allocate(bytes, ALIGNMENT));
    }
    return taken;
  }
}
