package io.headrace.format;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Writes one shard, sample after sample, in order. Confined to one thread.
public interface ShardWriter extends Closeable {
  /// Appends one sample.
  ///
  /// @param packed what a packer of the same container made of it; a view used only during the call
  void write(SampleMeta meta, MemorySegment packed) throws IOException;

  /// Completes the shard, with all that follows its last sample.
  void finish() throws IOException;

  /// Gives back what the writer holds; a shard that was not finished is worthless.
  @Override
  void close() throws IOException;
}
