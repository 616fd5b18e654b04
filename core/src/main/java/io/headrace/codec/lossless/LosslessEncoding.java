package io.headrace.codec.lossless;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.spec.Spec;

/// Headrace's own lossless encoding.
///
/// @param level what to strive for
public record LosslessEncoding(LosslessLevel level) implements ImageEncoding {
  /// What `lossless` alone means.
  public static final LosslessEncoding USUAL = new LosslessEncoding(LosslessLevel.SMALL);

  @Override
  public ImageFormat format() {
    return ImageFormat.LOSSLESS;
  }

  @Override
  public String spec() {
    return "lossless:" + Spec.word(level);
  }

  @Override
  public boolean holds16Bits() {
    return true;
  }
}
