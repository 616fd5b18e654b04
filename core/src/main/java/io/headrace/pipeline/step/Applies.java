package io.headrace.pipeline.step;

/// What a step applies to, in the order in which a pipeline does it.
public enum Applies {
  /// The encoded bytes.
  BYTES,
  /// Where pixels are: moved, cut off, resized.
  PLACES,
  /// Colours of pixels, whole numbers from 0 to 255.
  COLOURS,
  /// A sound.
  SOUND,
  /// Values of a channel, which become float32.
  VALUES,
  /// The type of elements.
  TYPE,
  /// The order of axes.
  LAYOUT,
  /// All samples of a batch together.
  BATCH;

  /// {@return whether an image remains an image}
  public boolean onPixels() {
    return this == BYTES || this == PLACES || this == COLOURS;
  }
}
