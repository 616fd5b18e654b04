package io.headrace.pipeline.step;

/// An effect on each pixel that depends on its own colours alone. So it may be done after the image
/// was cut or mirrored, with the same result on fewer pixels, and row by row.
public non-sealed interface RowEffect extends Effect {
  /// Makes tables in [Drawn], once for each image.
  default void prepare(Drawn drawn) {}

  /// Changes a row of pixels in place.
  ///
  /// @param rgb [3, width], 0 to 255
  void row(Drawn drawn, int[] rgb, int width);
}
