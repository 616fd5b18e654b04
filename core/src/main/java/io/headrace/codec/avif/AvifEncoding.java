package io.headrace.codec.avif;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.error.ConfigException;

/// AVIF of 8 bits, 4:2:0, libavif's speed 6.
///
/// @param quality 0 to 100 on the scale of libavif 1.x
public record AvifEncoding(int quality) implements ImageEncoding {
  /// Checks the range.
  public AvifEncoding {
    if (quality < 0 || quality > 100) {
      throw new ConfigException("AVIF quality " + quality + ": expected 0 to 100");
    }
  }

  @Override
  public ImageFormat format() {
    return ImageFormat.AVIF;
  }

  @Override
  public String spec() {
    return "avif:" + quality;
  }

  @Override
  public boolean lossy() {
    return true;
  }
}
