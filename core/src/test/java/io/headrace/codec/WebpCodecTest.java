package io.headrace.codec;

/// The laws of image codecs, for lossy WebP.
final class WebpCodecTest extends ImageCodecContract {
  @Override
  ImageEncoding encoding() {
    return new ImageEncoding.Webp(90);
  }

  @Override
  int tolerance() {
    return 40;
  }

  @Override
  int magic() {
    return 12;
  }

  @Override
  boolean storesGrey() {
    return false;
  }

  @Override
  int repeats() {
    return 60;
  }
}
