package io.headrace.codec;

import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.error.ConfigException;

/// How images are to be encoded.
public sealed interface ImageEncoding {
  /// {@return the format it makes}
  ImageFormat format();

  /// {@return whether [ImageEncoder#encode16] makes it of 16 bits a channel}
  default boolean holds16Bits() {
    return switch (this) {
      case Png _, Raw _, Pnm _, Lossless _ -> true;
      case Jpeg _, Webp _, WebpLossless _, Avif _, Qoi _, Bmp _ -> false;
    };
  }

  /// Baseline JPEG.
  ///
  /// @param quality 1 to 100 on the scale of the IJG
  /// @param subsampling of the chroma
  record Jpeg(int quality, Subsampling subsampling) implements ImageEncoding {
    /// Checks the ranges.
    public Jpeg {
      if (quality < 1 || quality > 100) {
        throw new ConfigException("JPEG quality " + quality + ": expected 1 to 100");
      }
      if (subsampling == Subsampling.OTHER) {
        throw new ConfigException("JPEG is encoded with a named subsampling, such as 4:2:0");
      }
    }

    /// JPEG with 4:2:0, as `cjpeg` and Pillow write it.
    ///
    /// @param quality 1 to 100 on the scale of the IJG
    public Jpeg(int quality) {
      this(quality, Subsampling.S420);
    }

    @Override
    public ImageFormat format() {
      return ImageFormat.JPEG;
    }
  }

  /// PNG of 8 bits a channel, or 16.
  ///
  /// @param level of deflate, 0 to 9
  record Png(int level) implements ImageEncoding {
    /// zlib's own default level.
    public static final Png DEFAULT = new Png(6);

    /// Checks the range.
    public Png {
      if (level < 0 || level > 9) {
        throw new ConfigException("PNG compression level " + level + ": expected 0 to 9");
      }
    }

    @Override
    public ImageFormat format() {
      return ImageFormat.PNG;
    }
  }

  /// Lossy WebP, libwebp's method 4.
  ///
  /// @param quality 0 to 100 on libwebp's scale
  record Webp(int quality) implements ImageEncoding {
    /// Checks the range.
    public Webp {
      if (quality < 0 || quality > 100) {
        throw new ConfigException("WebP quality " + quality + ": expected 0 to 100");
      }
    }

    @Override
    public ImageFormat format() {
      return ImageFormat.WEBP;
    }
  }

  /// Lossless WebP, at libwebp's default effort.
  record WebpLossless() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.WEBP;
    }
  }

  /// AVIF of 8 bits, 4:2:0, libavif's speed 6.
  ///
  /// @param quality 0 to 100 on the scale of libavif 1.x
  record Avif(int quality) implements ImageEncoding {
    /// Checks the range.
    public Avif {
      if (quality < 0 || quality > 100) {
        throw new ConfigException("AVIF quality " + quality + ": expected 0 to 100");
      }
    }

    @Override
    public ImageFormat format() {
      return ImageFormat.AVIF;
    }
  }

  /// QOI of three channels.
  record Qoi() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.QOI;
    }
  }

  /// BMP, not compressed: 24 bits a pixel or, for grey, 8.
  record Bmp() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.BMP;
    }
  }

  /// PPM or, for grey, PGM, of 8 bits a channel, or 16.
  record Pnm() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.PNM;
    }
  }

  /// Headrace's own lossless encoding.
  ///
  /// @param level what to strive for
  record Lossless(LosslessLevel level) implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.LOSSLESS;
    }
  }

  /// A serialised TensorFlow tensor; see [RawCodec].
  record Raw() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.RAW;
    }
  }
}
