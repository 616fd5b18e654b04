package io.headrace.codec;

/// The laws of image codecs, for QOI.
final class QoiCodecTest extends ImageCodecContract {
  @Override
  ImageEncoding encoding() {
    return new ImageEncoding.Qoi();
  }

  @Override
  int tolerance() {
    return 0;
  }

  @Override
  boolean storesGrey() {
    return false;
  }

  /// The end marker.
  @Override
  int tail(byte[] encoded) {
    return encoded.length - 8;
  }
}
