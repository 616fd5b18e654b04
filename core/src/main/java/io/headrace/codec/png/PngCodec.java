package io.headrace.codec.png;

import io.headrace.codec.ImageCodec;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.PixelEncoder;
import io.headrace.memory.MemoryBudget;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// PNG.
public final class PngCodec implements ImageCodec {
  /// The codec.
  public PngCodec() {}

  @Override
  public ImageFormat format() {
    return ImageFormat.PNG;
  }

  @Override
  public String spellings() {
    return "png[:LEVEL]";
  }

  @Override
  public @Nullable ImageEncoding encoding(Spec spec) {
    return spec.name().equals("png")
        ? spec.end(new PngEncoding(spec.number("level", PngEncoding.DEFAULT.level())))
        : null;
  }

  @Override
  public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
    return new PngDecoder(budget, maxPixels);
  }

  @Override
  public PixelEncoder encoder() {
    return new PngEncoder();
  }
}
