package io.headrace.pipeline.resize;

/// What is done to the colours of every row before they become elements of a sample.
public interface RowWork {
  /// Changes one row in place.
  ///
  /// @param rgb [3, width], 0 to 255
  void row(int[] rgb, int width);
}
