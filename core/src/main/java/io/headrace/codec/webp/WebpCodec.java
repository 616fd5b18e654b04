package io.headrace.codec.webp;

import io.headrace.codec.ImageCodec;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.PixelEncoder;
import io.headrace.memory.MemoryBudget;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// WebP, lossy and lossless, through libwebp.
public final class WebpCodec implements ImageCodec {
  /// The codec.
  public WebpCodec() {}

  @Override
  public ImageFormat format() {
    return ImageFormat.WEBP;
  }

  @Override
  public String spellings() {
    return "webp:QUALITY, webp-lossless";
  }

  @Override
  public @Nullable ImageEncoding encoding(Spec spec) {
    return switch (spec.name()) {
      case "webp" -> new WebpEncoding(spec.quality());
      case "webp-lossless" -> spec.bare(WebpLosslessEncoding::new);
      default -> null;
    };
  }

  @Override
  public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
    return new WebpDecoder(budget, maxPixels);
  }

  @Override
  public PixelEncoder encoder() {
    return new WebpEncoder();
  }
}
