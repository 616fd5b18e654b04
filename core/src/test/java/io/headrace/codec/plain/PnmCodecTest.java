package io.headrace.codec.plain;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecContract;

/// The laws of image codecs, for PGM and PPM.
final class PnmCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return PlainCodec.PNM;
  }

  @Override
  protected int tolerance() {
    return 0;
  }
}
