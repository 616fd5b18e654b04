package io.headrace.codec.learned;

import io.headrace.codec.learned.layer.FeatureMap;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/// A picture's way from bytes to floats and back. One per worker.
final class Pixels {
  private static final float WHITE = 255;

  private final CRC32C crc = new CRC32C();
  private byte[] row = {};

  /// Puts a picture into the middle of a map, with black around it.
  ///
  /// @param pixels uint8 [height, width, channels]
  /// @param channels 3, or 1 for grey
  void fill(MemorySegment pixels, int width, int height, int channels, FeatureMap map) {
    java.util.Arrays.fill(map.data, 0, map.size(), 0);
    int top = (map.height - height) / 2;
    int left = (map.width - width) / 2;
    for (int channel = 0; channel < 3; channel++) {
      for (int y = 0; y < height; y++) {
        int to = (channel * map.height + top + y) * map.width + left;
        long from = (long) y * width * channels + Math.min(channel, channels - 1);
        for (int x = 0; x < width; x++, from += channels) {
          map.data[to + x] = (pixels.get(ValueLayout.JAVA_BYTE, from) & 0xff) / WHITE;
        }
      }
    }
  }

  /// Takes the picture out of the middle of a map.
  ///
  /// @param rgb uint8 [height, width, 3], or an empty segment if only the checksum is wanted
  /// @return the CRC-32C of the pixels
  int take(FeatureMap map, int width, int height, MemorySegment rgb) {
    if (row.length < 3 * width) {
      row = new byte[3 * width];
    }
    crc.reset();
    int top = (map.height - height) / 2;
    int left = (map.width - width) / 2;
    for (int y = 0; y < height; y++) {
      for (int channel = 0; channel < 3; channel++) {
        int from = (channel * map.height + top + y) * map.width + left;
        for (int x = 0; x < width; x++) {
          float value = Math.clamp(map.data[from + x], 0f, 1f);
          row[3 * x + channel] = (byte) (int) (value * WHITE + 0.5f);
        }
      }
      crc.update(row, 0, 3 * width);
      if (rgb.byteSize() > 0) {
        MemorySegment.copy(row, 0, rgb, ValueLayout.JAVA_BYTE, 3L * y * width, 3 * width);
      }
    }
    return (int) crc.getValue();
  }
}
