package io.headrace.codec;

import io.headrace.error.ConfigException;

/// Height and width of an image.
///
/// @param height rows, in pixels, at least 1
/// @param width columns, in pixels, at least 1
public record ImageSize(int height, int width) {
  /// Checks the extents.
  public ImageSize {
    if (height < 1 || width < 1) {
      throw new ConfigException("image of %d x %d pixels".formatted(height, width));
    }
  }

  /// {@return bytes of such an image as uint8 [height, width, 3]}
  public long rgbBytes() {
    return 3L * height * width;
  }

  /// {@return this shape with the shorter side `edge` long}
  ///
  /// The other side is `edge · longer / shorter`, truncated, as torchvision's `Resize(edge)` and
  /// PRESTO compute it.
  ///
  /// @param edge in pixels
  public ImageSize withShorterSide(int edge) {
    int shorter = Math.min(height, width);
    long longer = longerSide(edge, Math.max(height, width), shorter);
    if (longer > Integer.MAX_VALUE) {
      throw new ConfigException("%s with its shorter side at %d is too long".formatted(this, edge));
    }
    return height <= width ? new ImageSize(edge, (int) longer) : new ImageSize((int) longer, edge);
  }

  public static long longerSide(int edge, int longer, int shorter) {
    return (long) edge * longer / shorter;
  }

  /// {@return height x width, such as `224x160`}
  @Override
  public String toString() {
    return height + "x" + width;
  }
}
