package io.headrace.codec;

/// The laws of image codecs, for AVIF.
final class AvifCodecTest extends ImageCodecContract {
  @Override
  ImageEncoding encoding() {
    return new ImageEncoding.Avif(90);
  }

  @Override
  int tolerance() {
    return 20;
  }

  @Override
  int magic() {
    return 12;
  }

  /// Encoding takes long, so that code is hardly compiled before it is measured.
  @Override
  int repeats() {
    return 4;
  }

  @Override
  long garbage() {
    return 1024;
  }
}
