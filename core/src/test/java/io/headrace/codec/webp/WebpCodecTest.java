package io.headrace.codec.webp;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecContract;

/// The laws of image codecs, for lossy WebP.
final class WebpCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return new WebpEncoding(90);
  }

  @Override
  protected int tolerance() {
    return 40;
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
