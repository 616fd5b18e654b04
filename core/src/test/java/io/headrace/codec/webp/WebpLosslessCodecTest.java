package io.headrace.codec.webp;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecContract;

/// The laws of image codecs, for lossless WebP.
final class WebpLosslessCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return new WebpLosslessEncoding();
  }

  @Override
  protected int tolerance() {
    return 0;
  }

  @Override
  protected int magic() {
    return 12;
  }

  @Override
  protected boolean storesGrey() {
    return false;
  }

  @Override
  protected int repeats() {
    return 60;
  }
}
