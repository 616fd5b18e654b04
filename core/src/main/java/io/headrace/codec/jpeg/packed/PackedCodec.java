package io.headrace.codec.jpeg.packed;

import io.headrace.codec.ImageCodec;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.PixelEncoder;
import io.headrace.memory.MemoryBudget;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// Packed JPEG, which is made of JPEGs only: see [PackedTranscoder].
public final class PackedCodec implements ImageCodec {
  /// The codec.
  public PackedCodec() {}

  @Override
  public ImageFormat format() {
    return ImageFormat.PACKED;
  }

  @Override
  public String spellings() {
    return "";
  }

  @Override
  public @Nullable ImageEncoding encoding(Spec spec) {
    return null;
  }

  @Override
  public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
    return new PackedDecoder(budget, maxPixels);
  }

  @Override
  public PixelEncoder encoder() {
    throw new IllegalStateException("a packed picture is made of a JPEG, not of pixels");
  }
}
