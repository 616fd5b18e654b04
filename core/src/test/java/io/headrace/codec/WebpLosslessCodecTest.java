package io.headrace.codec;

/// The laws of image codecs, for lossless WebP.
final class WebpLosslessCodecTest extends ImageCodecContract {
  @Override
  ImageEncoding encoding() {
    return new ImageEncoding.WebpLossless();
  }

  @Override
  int tolerance() {
    return 0;
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
