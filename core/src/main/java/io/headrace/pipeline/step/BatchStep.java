package io.headrace.pipeline.step;

import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import io.headrace.random.CounterRandom;
import java.lang.foreign.MemorySegment;

/// A step on all samples of a batch, after each of them is finished: it mixes each with the one
/// before it, and the first with the last. Labels become weights, see [#mix].
public interface BatchStep extends Step {
  /// Mixes the samples of a batch in place.
  ///
  /// @param batch the samples of the batch
  /// @param random gives what is drawn, once for the batch
  /// @return the weight of each sample's own label, 0 to 1; the rest is that of the sample that it
  ///     was mixed with
  double mix(Samples batch, CounterRandom random);

  /// Samples side by side, and room for one more.
  ///
  /// @param data [count, height, width, 3] or [count, 3, height, width], little-endian
  /// @param spare room for one sample
  /// @param count samples, at least 1
  record Samples(
      MemorySegment data,
      MemorySegment spare,
      int count,
      int height,
      int width,
      DType dtype,
      Layout layout) {
    /// {@return bytes of a sample}
    public long bytes() {
      return 3L * height * width * dtype.bytes();
    }
  }
}
