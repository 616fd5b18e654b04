package io.headrace.format;

import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import java.lang.foreign.MemorySegment;

/// Turns samples into the bytes that a shard of one kind of container stores of them. Confined to
/// one thread.
public interface SamplePacker extends AutoCloseable {
  /// Packs one sample.
  ///
  /// @param meta what is known about it
  /// @param encoded its image, off heap
  /// @param source the sample it was made from, for its [Sample#fields]; its own encoded bytes and
  ///     label are not looked at
  /// @param into takes the packed bytes at its start; may hold neither `encoded` nor the source
  /// @return number of packed bytes
  /// @throws DecodeException with [io.headrace.error.Fault#UNSUPPORTED] if the container cannot
  ///     hold such a sample, or with [io.headrace.error.Fault#LIMIT] if memory is short
  long pack(SampleMeta meta, MemorySegment encoded, Sample source, Block into)
      throws DecodeException;

  @Override
  void close();
}
