package io.headrace.codec.quality;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// One channel of a packed RGB picture.
///
/// @param rgb uint8 [height, width, 3]
/// @param width columns
/// @param channel 0 to 2
record Channel(MemorySegment rgb, int width, int channel) implements Similarity.Plane {
  /// @throws IllegalArgumentException if two pictures of this size do not lie in `a` and `b`
  static void requirePictures(MemorySegment a, MemorySegment b, int width, int height) {
    long bytes = 3L * width * height;
    if (width < 1 || height < 1 || a.byteSize() < bytes || b.byteSize() < bytes) {
      throw new IllegalArgumentException(
          "%d x %d pixels in %d and %d bytes".formatted(width, height, a.byteSize(), b.byteSize()));
    }
  }

  @Override
  public void read(int y, double[] row, int start) {
    long at = 3L * width * y + channel;
    for (int x = 0; x < width; x++) {
      row[start + x] = rgb.get(JAVA_BYTE, at) & 0xff;
      at += 3;
    }
  }
}
