package io.headrace.codec.webp;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;

/// Lossless WebP, at libwebp's default effort.
public record WebpLosslessEncoding() implements ImageEncoding {
  @Override
  public ImageFormat format() {
    return ImageFormat.WEBP;
  }

  @Override
  public String spec() {
    return "webp-lossless";
  }
}
