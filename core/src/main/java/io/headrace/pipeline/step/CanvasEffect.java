package io.headrace.pipeline.step;

/// An effect on an image as a whole.
public non-sealed interface CanvasEffect extends Effect {
  /// Changes the image in place.
  void apply(Drawn drawn, Canvas canvas);
}
