package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// A decoded region inside of a larger image, so that it need not be copied.
///
/// @param pixels uint8 [rows, stride, 3], rows packed; belongs to the decoder, valid until it
///     decodes again
/// @param stride columns of `pixels`
/// @param top row of `pixels` at which the region starts
/// @param left column of `pixels` at which the region starts
/// @param region what was asked for
public record DecodedRegion(MemorySegment pixels, int stride, int top, int left, Region region) {
  /// {@return where a row of the region starts in [#pixels], in bytes}
  ///
  /// @param y row of the region, from 0
  public long offset(int y) {
    return 3 * ((long) (top + y) * stride + left);
  }

  /// Copies the region alone.
  ///
  /// @param rgb uint8 [region's height, region's width, 3], at least as large
  public void copyTo(MemorySegment rgb) {
    long row = 3L * region.width();
    for (int y = 0; y < region.height(); y++) {
      MemorySegment.copy(pixels, JAVA_BYTE, offset(y), rgb, JAVA_BYTE, y * row, row);
    }
  }
}
