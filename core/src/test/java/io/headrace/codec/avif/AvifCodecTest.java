package io.headrace.codec.avif;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.images.ImageCodecContract;

/// The laws of image codecs, for AVIF.
final class AvifCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return new AvifEncoding(90);
  }

  @Override
  protected int tolerance() {
    return 20;
  }

  @Override
  protected int magic() {
    return 12;
  }

  /// Encoding takes long, so that code is hardly compiled before it is measured.
  @Override
  protected int repeats() {
    return 4;
  }

  @Override
  protected long garbage() {
    return 1024;
  }
}
