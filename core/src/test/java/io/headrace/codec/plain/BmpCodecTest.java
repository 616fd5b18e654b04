package io.headrace.codec.plain;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecContract;

/// The laws of image codecs, for BMP.
final class BmpCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return PlainCodec.BMP;
  }

  @Override
  protected int tolerance() {
    return 0;
  }

  /// The padding of the last row, which is 99 bytes long.
  @Override
  protected int tail(byte[] encoded) {
    return encoded.length - 1;
  }
}
