package io.headrace.codec;

import java.util.Objects;

/// A rectangle of an image, in pixels.
///
/// @param top first row, from 0
/// @param left first column, from 0
/// @param height rows, at least 1
/// @param width columns, at least 1
public record Region(int top, int left, int height, int width) {
  /// Checks the ranges.
  public Region {
    if (top < 0 || left < 0 || height < 1 || width < 1) {
      throw new IllegalArgumentException(
          "region of %d x %d pixels (height x width) at row %d, column %d"
              .formatted(height, width, top, left));
    }
  }

  /// {@return bytes of uint8 [height, width, 3]}
  public long rgbBytes() {
    return 3L * height * width;
  }

  /// {@return whether another one lies within it}
  public boolean contains(Region other) {
    return top <= other.top
        && left <= other.left
        && other.top + other.height <= top + height
        && other.left + other.width <= left + width;
  }

  /// {@return the smallest region with this one and another}
  public Region with(Region other) {
    int y = Math.min(top, other.top);
    int x = Math.min(left, other.left);
    int bottom = Math.max(top + height, other.top + other.height);
    int right = Math.max(left + width, other.left + other.width);
    return new Region(y, x, bottom - y, right - x);
  }

  /// {@return the smallest region of the image at `scale` that shows all of this one}
  ///
  /// @param scale of an image in which this region is given at full size
  public Region at(JpegScale scale) {
    int m = scale.eighths();
    int y = (int) (((long) top * m) >> 3);
    int x = (int) (((long) left * m) >> 3);
    int bottom = (int) Math.ceilDiv(((long) top + height) * m, 8L);
    int right = (int) Math.ceilDiv(((long) left + width) * m, 8L);
    return new Region(y, x, bottom - y, right - x);
  }

  /// {@return the smallest of 1/8, 1/4, 1/2 and full size at which this region still has the
  ///     target's rows and columns}
  ///
  /// Other eighths are never chosen: libjpeg-turbo has vector code for these alone, and is slower
  /// at 5/8 than at full size.
  ///
  /// @param targetHeight rows that are wanted of it
  /// @param targetWidth columns that are wanted of it
  public JpegScale scaleFor(int targetHeight, int targetWidth) {
    if (reaches(1, targetHeight, targetWidth)) {
      return JpegScale.EIGHTH;
    }
    if (reaches(2, targetHeight, targetWidth)) {
      return JpegScale.QUARTER;
    }
    return reaches(4, targetHeight, targetWidth) ? JpegScale.HALF : JpegScale.FULL;
  }

  private boolean reaches(int eighths, int targetHeight, int targetWidth) {
    return (long) height * eighths >= 8L * targetHeight
        && (long) width * eighths >= 8L * targetWidth;
  }

  /// Checks that it lies within an image of that size.
  ///
  /// @throws IndexOutOfBoundsException if it does not
  public void requireWithin(int imageHeight, int imageWidth) {
    Objects.checkFromIndexSize(top, height, imageHeight);
    Objects.checkFromIndexSize(left, width, imageWidth);
  }
}
