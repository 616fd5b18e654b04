package io.headrace.codec.png;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecContract;

/// The laws of image codecs, for PNG.
final class PngCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return PngEncoding.DEFAULT;
  }

  @Override
  protected int tolerance() {
    return 0;
  }

  /// The checksums after the pixels, in IDAT and IEND.
  @Override
  protected int tail(byte[] encoded) {
    return encoded.length - 12 - 4 - 4;
  }

  @Override
  protected boolean checksummed() {
    return true;
  }
}
