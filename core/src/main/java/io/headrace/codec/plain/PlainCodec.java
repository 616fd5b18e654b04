package io.headrace.codec.plain;

import io.headrace.codec.ImageCodec;
import io.headrace.codec.ImageEncoding;
import io.headrace.codec.ImageFormat;
import io.headrace.codec.PixelDecoder;
import io.headrace.codec.PixelEncoder;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.spec.Spec;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The formats that need no library and have no settings: each is its only encoding.
public enum PlainCodec implements ImageCodec, ImageEncoding {
  /// QOI of three channels.
  QOI(ImageFormat.QOI, "qoi", false) {
    @Override
    public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
      return new QoiCodec(maxPixels);
    }

    @Override
    public PixelEncoder encoder() {
      var codec = new QoiCodec(Long.MAX_VALUE);
      return (pixels, width, height, channels, _, out) ->
          codec.encode(pixels, width, height, channels, out);
    }
  },
  /// BMP, not compressed: 24 bits a pixel or, for grey, 8.
  BMP(ImageFormat.BMP, "bmp", false) {
    @Override
    public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
      return new BmpCodec(maxPixels);
    }

    @Override
    public PixelEncoder encoder() {
      return (pixels, width, height, channels, _, out) ->
          BmpCodec.encode(pixels, width, height, channels, out);
    }
  },
  /// PPM or, for grey, PGM, of 8 bits a channel, or 16.
  PNM(ImageFormat.PNM, "ppm", true) {
    @Override
    public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
      return new PnmCodec(maxPixels);
    }

    @Override
    public PixelEncoder encoder() {
      return new Encoder(PnmCodec::encode, PnmCodec::encode16);
    }
  },
  /// A serialised TensorFlow tensor; see [RawCodec].
  RAW(ImageFormat.RAW, "raw", true) {
    @Override
    public PixelDecoder decoder(MemoryBudget budget, long maxPixels) {
      return new RawCodec(maxPixels);
    }

    @Override
    public PixelEncoder encoder() {
      return new Encoder(RawCodec::encode, RawCodec::encode16);
    }
  };

  private final ImageFormat format;
  private final String spelling;
  private final boolean holds16Bits;

  PlainCodec(ImageFormat format, String spelling, boolean holds16Bits) {
    this.format = format;
    this.spelling = spelling;
    this.holds16Bits = holds16Bits;
  }

  @Override
  public ImageFormat format() {
    return format;
  }

  @Override
  public String spellings() {
    return spelling;
  }

  @Override
  public @Nullable ImageEncoding encoding(Spec spec) {
    return spec.name().equals(spelling) ? spec.bare(() -> this) : null;
  }

  @Override
  public String spec() {
    return spelling;
  }

  @Override
  public boolean holds16Bits() {
    return holds16Bits;
  }

  @Override
  public boolean keepsItsFormat() {
    return true;
  }

  /// Encodes 8 bits a channel, and 16.
  private record Encoder(Eight eight, Sixteen sixteen) implements PixelEncoder {
    @Override
    public long encode(
        MemorySegment pixels, int width, int height, int channels, ImageEncoding as, Block out)
        throws DecodeException {
      return eight.encode(pixels, width, height, channels, out);
    }

    @Override
    public long encode16(MemorySegment pixels, int width, int height, ImageEncoding as, Block out)
        throws DecodeException {
      return sixteen.encode(pixels, width, height, out);
    }
  }

  @FunctionalInterface
  private interface Eight {
    long encode(MemorySegment pixels, int width, int height, int channels, Block out)
        throws DecodeException;
  }

  @FunctionalInterface
  private interface Sixteen {
    long encode(MemorySegment pixels, int width, int height, Block out) throws DecodeException;
  }
}
