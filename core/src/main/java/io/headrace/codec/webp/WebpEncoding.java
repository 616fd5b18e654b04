package io.headrace.codec.webp;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.error.ConfigException;

/// Lossy WebP, libwebp's method 4.
///
/// @param quality 0 to 100 on libwebp's scale
public record WebpEncoding(int quality) implements ImageEncoding {
  /// Checks the range.
  public WebpEncoding {
    if (quality < 0 || quality > 100) {
      throw new ConfigException("WebP quality " + quality + ": expected 0 to 100");
    }
  }

  @Override
  public ImageFormat format() {
    return ImageFormat.WEBP;
  }

  @Override
  public String spec() {
    return "webp:" + quality;
  }

  @Override
  public boolean lossy() {
    return true;
  }
}
