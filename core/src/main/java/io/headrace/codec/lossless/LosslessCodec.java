package io.headrace.codec.lossless;

import io.headrace.codec.ImageCodec;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.PixelEncoder;
import io.headrace.memory.MemoryBudget;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// Headrace's own lossless encoding.
public final class LosslessCodec implements ImageCodec {
  /// The codec.
  public LosslessCodec() {}

  @Override
  public ImageFormat format() {
    return ImageFormat.LOSSLESS;
  }

  @Override
  public String spellings() {
    return "lossless[:LEVEL]";
  }

  @Override
  public @Nullable ImageEncoding encoding(Spec spec) {
    if (!spec.name().equals("lossless")) {
      return null;
    }
    String level = spec.next();
    return spec.end(
        level == null
            ? LosslessEncoding.USUAL
            : new LosslessEncoding(
                Spec.choice("level of lossless", LosslessLevel.values(), level)));
  }

  @Override
  public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
    return new LosslessDecoder(budget, maxPixels);
  }

  @Override
  public PixelEncoder encoder() {
    return new LosslessEncoder();
  }
}
