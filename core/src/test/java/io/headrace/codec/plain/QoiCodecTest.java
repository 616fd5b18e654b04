package io.headrace.codec.plain;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecContract;

/// The laws of image codecs, for QOI.
final class QoiCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return PlainCodec.QOI;
  }

  @Override
  protected int tolerance() {
    return 0;
  }

  @Override
  protected boolean storesGrey() {
    return false;
  }

  /// The end marker.
  @Override
  protected int tail(byte[] encoded) {
    return encoded.length - 8;
  }
}
