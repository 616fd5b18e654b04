package io.headrace.codec.lossless;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecContract;

/// The laws of image codecs, for the lossless encoding of our own.
final class LosslessCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return new LosslessEncoding(LosslessLevel.SMALL);
  }

  @Override
  protected int tolerance() {
    return 0;
  }

  @Override
  protected boolean checksummed() {
    return true;
  }
}
