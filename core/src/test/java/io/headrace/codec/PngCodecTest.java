package io.headrace.codec;

/// The laws of image codecs, for PNG.
final class PngCodecTest extends ImageCodecContract {
  @Override
  ImageEncoding encoding() {
    return ImageEncoding.Png.DEFAULT;
  }

  @Override
  int tolerance() {
    return 0;
  }

  /// The checksums behind the pixels, in IDAT and IEND.
  @Override
  int tail(byte[] encoded) {
    return encoded.length - 12 - 4 - 4;
  }

  @Override
  boolean checksummed() {
    return true;
  }
}
