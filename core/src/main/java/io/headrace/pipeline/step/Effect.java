package io.headrace.pipeline.step;

/// What a step does to pixels of one image, apart from moving them. Without state: numbers that
/// were drawn are in a [Drawn].
public sealed interface Effect permits RowEffect, CanvasEffect, SampleEffect {
  /// {@return the effect in words, such as `brightness 1.2`}
  String words(Drawn drawn);
}
