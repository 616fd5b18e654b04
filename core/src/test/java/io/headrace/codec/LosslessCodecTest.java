package io.headrace.codec;

import io.headrace.codec.lossless.LosslessLevel;

/// The laws of image codecs, for the lossless encoding of our own.
final class LosslessCodecTest extends ImageCodecContract {
  @Override
  ImageEncoding encoding() {
    return new ImageEncoding.Lossless(LosslessLevel.SMALL);
  }

  @Override
  int tolerance() {
    return 0;
  }

  @Override
  boolean checksummed() {
    return true;
  }
}
