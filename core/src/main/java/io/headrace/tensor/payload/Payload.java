package io.headrace.tensor.payload;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// The part of a blob that one codec makes, between header and checksum. One per worker.
///
/// Tensors have at least one value here, and values fill their segment exactly.
public interface Payload extends AutoCloseable {
  /// Encodes.
  ///
  /// @param out takes the payload from `at` on; what is before stays
  /// @return bytes of the payload
  /// @throws DecodeException with [Fault#LIMIT] if the memory budget does not allow it,
  ///     [Fault#UNSUPPORTED] if the codec cannot hold these values
  long encode(MemorySegment values, WordLayout layout, Block out, long at) throws DecodeException;

  /// Decodes.
  ///
  /// @param payload whose checksum was right; its content must still be checked
  /// @throws DecodeException if the payload cannot be one of that shape; `values` is then undefined
  void decode(MemorySegment payload, WordLayout layout, MemorySegment values)
      throws DecodeException;

  /// {@return the largest distance of a value from what the payload encoded last decodes to}
  default double error() {
    return 0;
  }

  @Override
  default void close() {}

  /// {@return a fault in a payload}
  static DecodeException corrupt(String codec, String what) {
    return new DecodeException(Fault.CORRUPT, codec + ": " + what);
  }
}
