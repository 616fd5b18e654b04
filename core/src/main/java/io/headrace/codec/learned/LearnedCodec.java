package io.headrace.codec.learned;

import io.headrace.codec.ImageCodec;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.PixelEncoder;
import io.headrace.memory.MemoryBudget;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// Images by trained networks, in Headrace's frame or in dl2's.
public enum LearnedCodec implements ImageCodec {
  /// With the model's digest and a checksum of the pixels.
  OWN(ImageFormat.LEARNED),
  /// As dl2 writes them: the model is found by its name, and nothing tells whether pixels are
  /// right.
  PTCI(ImageFormat.PTCI);

  private static final LearnedEncoding USUAL = new LearnedEncoding(ImageFormat.LEARNED, "small", 2);

  private final ImageFormat format;

  LearnedCodec(ImageFormat format) {
    this.format = format;
  }

  @Override
  public ImageFormat format() {
    return format;
  }

  @Override
  public String spellings() {
    return this == OWN ? "learned[:MODEL[:QUALITY]]" : "ptci:MODEL[:QUALITY]";
  }

  @Override
  public @Nullable ImageEncoding encoding(Spec spec) {
    if (!spec.name().equals(format.label())) {
      return null;
    }
    String value = spec.next();
    if (value == null) {
      if (this == OWN) {
        return spec.end(USUAL);
      }
      throw spec.bad("expected a model after the colon");
    }
    int colon = value.lastIndexOf(':');
    String model = colon < 0 ? value : value.substring(0, colon);
    int quality = colon < 0 ? 0 : spec.number("quality", value.substring(colon + 1));
    if (!model.matches("[a-z0-9._-]+") || quality < 0 || quality > 16) {
      throw spec.bad("expected the name of a model, then a quality of 1 to 16");
    }
    Models.require(model, quality);
    return spec.end(new LearnedEncoding(format, model, quality));
  }

  @Override
  public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
    return new LearnedDecoder(format, budget, maxPixels);
  }

  @Override
  public PixelEncoder encoder() {
    return new LearnedEncoder(format);
  }
}
