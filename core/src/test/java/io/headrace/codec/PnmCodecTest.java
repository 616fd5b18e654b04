package io.headrace.codec;

/// The laws of image codecs, for PGM and PPM.
final class PnmCodecTest extends ImageCodecContract {
  @Override
  ImageEncoding encoding() {
    return new ImageEncoding.Pnm();
  }

  @Override
  int tolerance() {
    return 0;
  }
}
