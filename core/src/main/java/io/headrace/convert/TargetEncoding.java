package io.headrace.convert;

import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.error.ConfigException;
import java.util.Locale;

/// How images are to be encoded.
public sealed interface TargetEncoding {
  /// {@return the text [#parse] takes}
  String spec();

  /// {@return whether it changes pixels}
  default boolean lossy() {
    return switch (this) {
      case Jpeg _, Webp _, Avif _ -> true;
      case Keep _, Png _, Raw _, WebpLossless _, Qoi _, Bmp _, Ppm _, Lossless _ -> false;
    };
  }

  /// As they are, byte for byte.
  record Keep() implements TargetEncoding {
    @Override
    public String spec() {
      return "keep";
    }
  }

  /// As JPEG, 4:2:0 (grey stays grey). A JPEG whose estimated quality is not above the target is
  /// kept as it is, since encoding it again would only lose.
  ///
  /// @param quality 1 to 100, as libjpeg scales its tables
  record Jpeg(int quality) implements TargetEncoding {
    /// Checks the range.
    public Jpeg {
      if (quality < 1 || quality > 100) {
        throw new ConfigException("JPEG quality " + quality + ": expected 1 to 100");
      }
    }

    @Override
    public String spec() {
      return "jpeg:" + quality;
    }
  }

  /// As 8-bit RGB PNG.
  record Png() implements TargetEncoding {
    @Override
    public String spec() {
      return "png";
    }
  }

  /// As a serialised uint8 tensor [height, width, 3]: see [ImageFormat#RAW].
  record Raw() implements TargetEncoding {
    @Override
    public String spec() {
      return "raw";
    }
  }

  /// As lossy WebP. Every image is encoded again, a WebP too, since nothing tells the quality it
  /// was made with.
  ///
  /// @param quality 0 to 100 on libwebp's scale
  record Webp(int quality) implements TargetEncoding {
    /// Checks the range.
    public Webp {
      if (quality < 0 || quality > 100) {
        throw new ConfigException("WebP quality " + quality + ": expected 0 to 100");
      }
    }

    @Override
    public String spec() {
      return "webp:" + quality;
    }
  }

  /// As lossless WebP. Every image is encoded again.
  record WebpLossless() implements TargetEncoding {
    @Override
    public String spec() {
      return "webp-lossless";
    }
  }

  /// As AVIF, 4:2:0. Every image is encoded again, an AVIF too, since nothing tells the quality it
  /// was made with.
  ///
  /// @param quality 0 to 100 on the scale of libavif 1.x
  record Avif(int quality) implements TargetEncoding {
    /// Checks the range.
    public Avif {
      if (quality < 0 || quality > 100) {
        throw new ConfigException("AVIF quality " + quality + ": expected 0 to 100");
      }
    }

    @Override
    public String spec() {
      return "avif:" + quality;
    }
  }

  /// As QOI. A QOI is kept.
  record Qoi() implements TargetEncoding {
    @Override
    public String spec() {
      return "qoi";
    }
  }

  /// In Headrace's own lossless encoding. Every image is encoded again, since nothing tells the
  /// level it was made with.
  ///
  /// @param level what to strive for
  record Lossless(LosslessLevel level) implements TargetEncoding {
    /// What `lossless` alone means.
    static final LosslessLevel USUAL = LosslessLevel.SMALL;

    @Override
    public String spec() {
      return "lossless:" + level.name().toLowerCase(Locale.ROOT);
    }

    private static Lossless of(String spec, String name) {
      for (LosslessLevel level : LosslessLevel.values()) {
        if (level.name().toLowerCase(Locale.ROOT).equals(name)) {
          return new Lossless(level);
        }
      }
      throw new ConfigException(
          "encoding '" + spec + "': expected lossless:fast, balanced, small or best");
    }
  }

  /// As BMP of 24 bits a pixel. A BMP is kept.
  record Bmp() implements TargetEncoding {
    @Override
    public String spec() {
      return "bmp";
    }
  }

  /// As binary PPM of 8 bits a channel. A PGM, PPM or PAM is kept.
  record Ppm() implements TargetEncoding {
    @Override
    public String spec() {
      return "ppm";
    }
  }

  /// {@return the encoding written as `keep`, `jpeg:QUALITY`, `webp:QUALITY`, `webp-lossless`,
  ///     `avif:QUALITY`, `png`, `qoi`, `lossless:LEVEL`, `bmp`, `ppm` or `raw`}
  ///
  /// @throws ConfigException if it is none of these
  static TargetEncoding parse(String spec) {
    String text = spec.toLowerCase(Locale.ROOT);
    int colon = text.indexOf(':');
    if (text.startsWith("lossless:")) {
      return Lossless.of(spec, text.substring(colon + 1));
    }
    if (colon >= 0) {
      int quality = quality(spec, text.substring(colon + 1));
      return switch (text.substring(0, colon)) {
        case "jpeg" -> new Jpeg(quality);
        case "webp" -> new Webp(quality);
        case "avif" -> new Avif(quality);
        default -> throw unknown(spec);
      };
    }
    return switch (text) {
      case "keep" -> new Keep();
      case "png" -> new Png();
      case "raw" -> new Raw();
      case "webp-lossless" -> new WebpLossless();
      case "qoi" -> new Qoi();
      case "lossless" -> new Lossless(Lossless.USUAL);
      case "bmp" -> new Bmp();
      case "ppm" -> new Ppm();
      default -> throw unknown(spec);
    };
  }

  private static int quality(String spec, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new ConfigException("encoding '" + spec + "': the quality is not a number");
    }
  }

  private static ConfigException unknown(String spec) {
    return new ConfigException(
        "unknown encoding '"
            + spec
            + "': expected keep, jpeg:QUALITY, webp:QUALITY, webp-lossless, avif:QUALITY, png, qoi,"
            + " lossless:LEVEL, bmp, ppm or raw");
  }
}
