package io.headrace.pipeline.colour;

/// The grey of a colour. Source: `_rgb_to_grayscale_image` of torchvision's
/// `transforms/v2/functional/_color.py`.
final class Grey {
  private Grey() {}

  /// {@return the grey, truncated}
  static int of(int red, int green, int blue) {
    return (int) (0.2989f * red + 0.587f * green + 0.114f * blue);
  }
}
