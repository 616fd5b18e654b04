package io.headrace.codec;

import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;
import org.jspecify.annotations.Nullable;

/// How images are to be encoded.
public sealed interface ImageEncoding {
  /// The spellings that [#parse] takes.
  String KNOWN =
      "jpeg:QUALITY, webp:QUALITY, webp-lossless, avif:QUALITY, png[:LEVEL], qoi, lossless[:LEVEL],"
          + " bmp, ppm or raw";

  /// {@return the format it makes}
  ImageFormat format();

  /// {@return whether [ImageEncoder#encode16] makes it of 16 bits a channel}
  default boolean holds16Bits() {
    return switch (this) {
      case Png _, Raw _, Pnm _, Lossless _ -> true;
      case Jpeg _, Webp _, WebpLossless _, Avif _, Qoi _, Bmp _ -> false;
    };
  }

  /// {@return its spelling, which [#parse] reads back}
  String spec();

  /// {@return whether it changes pixels of 8 bits a channel}
  default boolean lossy() {
    return false;
  }

  /// {@return whether every image of its format may stay as it is: it could not be told from what
  ///     this makes of it}
  default boolean keepsItsFormat() {
    return false;
  }

  /// {@return the encoding written as `jpeg:QUALITY`, `webp:QUALITY`, `webp-lossless`,
  ///     `avif:QUALITY`, `png[:LEVEL]`, `qoi`, `lossless[:LEVEL]`, `bmp`, `ppm` or `raw`}
  ///
  /// @throws ConfigException if it is none of these
  static ImageEncoding parse(String text) {
    Spec spec = Spec.commas("encoding", text);
    ImageEncoding encoding = of(spec);
    if (encoding == null) {
      throw spec.unknown(KNOWN);
    }
    return encoding;
  }

  /// {@return the encoding that a spelling names, or null if it is another name}
  ///
  /// @throws ConfigException if its options are not understood
  static @Nullable ImageEncoding of(Spec spec) {
    return switch (spec.name()) {
      case "jpeg" -> new Jpeg(quality(spec));
      case "webp" -> new Webp(quality(spec));
      case "avif" -> new Avif(quality(spec));
      case "png" -> spec.end(new Png(spec.number("level", Png.DEFAULT.level())));
      case "lossless" -> {
        String level = spec.next();
        yield spec.end(
            level == null
                ? Lossless.USUAL
                : new Lossless(Spec.choice("level of lossless", LosslessLevel.values(), level)));
      }
      case "webp-lossless" -> spec.bare(WebpLossless::new);
      case "qoi" -> spec.bare(Qoi::new);
      case "bmp" -> spec.bare(Bmp::new);
      case "ppm" -> spec.bare(Pnm::new);
      case "raw" -> spec.bare(Raw::new);
      default -> null;
    };
  }

  private static int quality(Spec spec) {
    String quality = spec.next();
    if (quality == null) {
      throw spec.bad("expected one quality after the colon");
    }
    return spec.end(spec.number("quality", quality));
  }

  /// {@return how an image of a format is encoded anew where nothing else is asked for}
  ///
  /// @param quality for JPEG, WebP and AVIF, where that is lossy
  static ImageEncoding usual(ImageFormat format, int quality) {
    return switch (format) {
      case JPEG -> new Jpeg(quality);
      case PNG -> Png.DEFAULT;
      case RAW -> new Raw();
      case WEBP -> new Webp(quality);
      case AVIF -> new Avif(quality);
      case QOI -> new Qoi();
      case LOSSLESS -> Lossless.USUAL;
      case BMP -> new Bmp();
      case PNM -> new Pnm();
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

    @Override
    public String spec() {
      return "jpeg:" + quality;
    }

    @Override
    public boolean lossy() {
      return true;
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

    @Override
    public String spec() {
      return level == DEFAULT.level ? "png" : "png:" + level;
    }

    @Override
    public boolean keepsItsFormat() {
      return true;
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

    @Override
    public String spec() {
      return "webp:" + quality;
    }

    @Override
    public boolean lossy() {
      return true;
    }
  }

  /// Lossless WebP, at libwebp's default effort.
  record WebpLossless() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.WEBP;
    }

    @Override
    public String spec() {
      return "webp-lossless";
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

    @Override
    public String spec() {
      return "avif:" + quality;
    }

    @Override
    public boolean lossy() {
      return true;
    }
  }

  /// QOI of three channels.
  record Qoi() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.QOI;
    }

    @Override
    public String spec() {
      return "qoi";
    }

    @Override
    public boolean keepsItsFormat() {
      return true;
    }
  }

  /// BMP, not compressed: 24 bits a pixel or, for grey, 8.
  record Bmp() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.BMP;
    }

    @Override
    public String spec() {
      return "bmp";
    }

    @Override
    public boolean keepsItsFormat() {
      return true;
    }
  }

  /// PPM or, for grey, PGM, of 8 bits a channel, or 16.
  record Pnm() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.PNM;
    }

    @Override
    public String spec() {
      return "ppm";
    }

    @Override
    public boolean keepsItsFormat() {
      return true;
    }
  }

  /// Headrace's own lossless encoding.
  ///
  /// @param level what to strive for
  record Lossless(LosslessLevel level) implements ImageEncoding {
    /// What `lossless` alone means.
    public static final Lossless USUAL = new Lossless(LosslessLevel.SMALL);

    @Override
    public ImageFormat format() {
      return ImageFormat.LOSSLESS;
    }

    @Override
    public String spec() {
      return "lossless:" + Spec.word(level);
    }
  }

  /// A serialised TensorFlow tensor; see [RawCodec].
  record Raw() implements ImageEncoding {
    @Override
    public ImageFormat format() {
      return ImageFormat.RAW;
    }

    @Override
    public String spec() {
      return "raw";
    }

    @Override
    public boolean keepsItsFormat() {
      return true;
    }
  }
}
