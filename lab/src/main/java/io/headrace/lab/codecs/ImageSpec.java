package io.headrace.lab.codecs;

import io.headrace.codec.ImageEncoding;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.error.ConfigException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// The spelling of image encodings, which is that of `convert --encoding`, with `png:LEVEL`
// besides.
final class ImageSpec {
  private static final List<String> USUAL =
      List.of(
          "jpeg:95",
          "jpeg:85",
          "jpeg:75",
          "jpeg:50",
          "webp:85",
          "webp:75",
          "webp:50",
          "avif:75",
          "avif:50",
          "png:1",
          "png:6",
          "webp-lossless",
          "qoi",
          "lossless:fast",
          "lossless:balanced",
          "lossless:small",
          "lossless:best",
          "bmp",
          "ppm",
          "raw");

  private ImageSpec() {}

  /// {@return every image encoding at its usual settings, the files as they were found first}
  static List<Setting<ImageEncoding>> usual() {
    return Stream.concat(
            Stream.of(Setting.<ImageEncoding>original()),
            USUAL.stream().map(spec -> Setting.of(spec, ImageSpec::parse)))
        .toList();
  }

  static ImageEncoding parse(String spec) {
    int colon = spec.indexOf(':');
    String label = colon < 0 ? spec : spec.substring(0, colon);
    String option = colon < 0 ? "" : spec.substring(colon + 1);
    return switch (label) {
      case "jpeg" -> new ImageEncoding.Jpeg(number(spec, option, 75));
      case "webp" -> new ImageEncoding.Webp(number(spec, option, 75));
      case "avif" -> new ImageEncoding.Avif(number(spec, option, 60));
      case "png" -> new ImageEncoding.Png(number(spec, option, 6));
      case "lossless" -> new ImageEncoding.Lossless(level(spec, option));
      case "webp-lossless" -> bare(spec, option, new ImageEncoding.WebpLossless());
      case "qoi" -> bare(spec, option, new ImageEncoding.Qoi());
      case "bmp" -> bare(spec, option, new ImageEncoding.Bmp());
      case "ppm" -> bare(spec, option, new ImageEncoding.Pnm());
      case "raw" -> bare(spec, option, new ImageEncoding.Raw());
      default -> throw bad(spec, "unknown");
    };
  }

  private static int number(String spec, String option, int otherwise) {
    try {
      return option.isEmpty() ? otherwise : Integer.parseInt(option);
    } catch (NumberFormatException e) {
      throw bad(spec, "'" + option + "' is not a number");
    }
  }

  private static LosslessLevel level(String spec, String option) {
    try {
      return option.isEmpty()
          ? LosslessLevel.SMALL
          : LosslessLevel.valueOf(option.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw bad(spec, "the levels are fast, balanced, small and best");
    }
  }

  private static ImageEncoding bare(String spec, String option, ImageEncoding encoding) {
    if (!option.isEmpty()) {
      throw bad(spec, "it has no options");
    }
    return encoding;
  }

  private static ConfigException bad(String spec, String what) {
    return new ConfigException("image encoding '" + spec + "': " + what);
  }
}
