package io.headrace.convert;

import io.headrace.error.ConfigException;
import java.util.Locale;

/// How images are to be encoded.
public sealed interface TargetEncoding {
  /// {@return the text [#parse] takes}
  String spec();

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

  /// {@return the encoding written as `keep`, `jpeg:QUALITY`, `png` or `raw`}
  ///
  /// @throws ConfigException if it is none of these
  static TargetEncoding parse(String spec) {
    String text = spec.toLowerCase(Locale.ROOT);
    if (text.startsWith("jpeg:")) {
      try {
        return new Jpeg(Integer.parseInt(text.substring("jpeg:".length())));
      } catch (NumberFormatException e) {
        throw new ConfigException("encoding '" + spec + "': the quality is not a number");
      }
    }
    return switch (text) {
      case "keep" -> new Keep();
      case "png" -> new Png();
      case "raw" -> new Raw();
      default ->
          throw new ConfigException(
              "unknown encoding '" + spec + "': expected keep, jpeg:QUALITY, png or raw");
    };
  }
}
