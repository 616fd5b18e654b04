package io.headrace.codec;

/// The laws of image codecs, for BMP.
final class BmpCodecTest extends ImageCodecContract {
  @Override
  ImageEncoding encoding() {
    return new ImageEncoding.Bmp();
  }

  @Override
  int tolerance() {
    return 0;
  }

  /// The padding of the last row, which is 99 bytes long.
  @Override
  int tail(byte[] encoded) {
    return encoded.length - 1;
  }
}
