package io.headrace.codec;

/// The laws of image codecs, for JPEG.
final class JpegCodecTest extends ImageCodecContract {
  @Override
  ImageEncoding encoding() {
    return new ImageEncoding.Jpeg(95, Subsampling.S444);
  }

  @Override
  int tolerance() {
    return 12;
  }
}
