package io.headrace.codec.avif;

import io.headrace.codec.ImageCodec;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.PixelEncoder;
import io.headrace.memory.MemoryBudget;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// AVIF, through libavif.
public final class AvifCodec implements ImageCodec {
  /// The codec.
  public AvifCodec() {}

  @Override
  public ImageFormat format() {
    return ImageFormat.AVIF;
  }

  @Override
  public String spellings() {
    return "avif:QUALITY";
  }

  @Override
  public @Nullable ImageEncoding encoding(Spec spec) {
    return spec.name().equals("avif") ? new AvifEncoding(spec.quality()) : null;
  }

  @Override
  public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
    return new AvifDecoder(budget, maxPixels);
  }

  @Override
  public PixelEncoder encoder() {
    return new AvifEncoder();
  }
}
