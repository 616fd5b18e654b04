package io.headrace.codec.jpeg.turbo;

import io.headrace.codec.ImageCodec;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.PixelEncoder;
import io.headrace.codec.jpeg.JpegEncoding;
import io.headrace.codec.jpeg.QuantTables;
import io.headrace.memory.MemoryBudget;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// JPEG, through libjpeg-turbo.
public final class JpegCodec implements ImageCodec {
  /// The codec.
  public JpegCodec() {}

  @Override
  public ImageFormat format() {
    return ImageFormat.JPEG;
  }

  @Override
  public String spellings() {
    return "jpeg:QUALITY[:tables=data]";
  }

  @Override
  public @Nullable ImageEncoding encoding(Spec spec) {
    if (!spec.name().equals("jpeg")) {
      return null;
    }
    String tables = spec.option("tables");
    if (tables != null && !tables.equals("data")) {
      throw spec.bad("tables '%s': expected data".formatted(tables));
    }
    var standard = new JpegEncoding(spec.quality());
    return tables == null ? standard : standard.with(new QuantTables.OfData());
  }

  @Override
  public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
    return new JpegDecoder(budget, maxPixels);
  }

  @Override
  public PixelEncoder encoder() {
    return new JpegEncoder();
  }
}
