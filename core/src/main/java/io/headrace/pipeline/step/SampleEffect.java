package io.headrace.pipeline.step;

import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import java.lang.foreign.MemorySegment;

/// An effect on a finished sample.
public non-sealed interface SampleEffect extends Effect {
  /// Changes the sample in place.
  ///
  /// @param sample [height, width, 3] or [3, height, width], little-endian
  void apply(Drawn drawn, MemorySegment sample, DType dtype, Layout layout, int height, int width);
}
