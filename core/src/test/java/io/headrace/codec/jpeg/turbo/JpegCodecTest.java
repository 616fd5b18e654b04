package io.headrace.codec.jpeg.turbo;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.Subsampling;
import io.headrace.codec.images.ImageCodecContract;
import io.headrace.codec.jpeg.JpegEncoding;

/// The laws of image codecs, for JPEG.
final class JpegCodecTest extends ImageCodecContract {
  @Override
  protected ImageEncoding encoding() {
    return new JpegEncoding(95, Subsampling.S444);
  }

  @Override
  protected int tolerance() {
    return 12;
  }
}
