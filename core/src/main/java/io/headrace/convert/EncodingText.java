package io.headrace.convert;

import io.headrace.codec.jpeg.coefficients.MetadataPolicy;
import io.headrace.codec.lossless.LosslessLevel;
import io.headrace.convert.TargetEncoding.Share;
import io.headrace.error.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Reads encodings as users write them.
final class EncodingText {
  private static final String KNOWN =
      "keep, jpeg:QUALITY, webp:QUALITY, webp-lossless, avif:QUALITY, png, qoi, lossless:LEVEL,"
          + " bmp, ppm, raw, progressive, baseline, tiled[:MCUS], pyramid[:QUALITY] or"
          + " mix:WEIGHT*ENCODING+WEIGHT*ENCODING";
  private static final int PYRAMID_QUALITY = 90;

  private EncodingText() {}

  static TargetEncoding parse(String spec) {
    String text = spec.toLowerCase(Locale.ROOT).strip();
    if (text.startsWith("mix:") || text.startsWith("mix@")) {
      return mix(text);
    }
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    List<String> options =
        colon < 0 ? List.of() : List.of(text.substring(colon + 1).split(",", -1));
    return switch (name) {
      case "keep" -> none(spec, options, new TargetEncoding.Keep());
      case "png" -> none(spec, options, new TargetEncoding.Png());
      case "raw" -> none(spec, options, new TargetEncoding.Raw());
      case "webp-lossless" -> none(spec, options, new TargetEncoding.WebpLossless());
      case "qoi" -> none(spec, options, new TargetEncoding.Qoi());
      case "bmp" -> none(spec, options, new TargetEncoding.Bmp());
      case "ppm" -> none(spec, options, new TargetEncoding.Ppm());
      case "jpeg" -> new TargetEncoding.Jpeg(number(spec, options, -1));
      case "webp" -> new TargetEncoding.Webp(number(spec, options, -1));
      case "avif" -> new TargetEncoding.Avif(number(spec, options, -1));
      case "pyramid" -> new TargetEncoding.Pyramid(number(spec, options, PYRAMID_QUALITY));
      case "lossless" -> new TargetEncoding.Lossless(level(spec, options));
      case "progressive" -> new TargetEncoding.Progressive(metadata(spec, options));
      case "baseline" -> baseline(spec, options);
      case "tiled" -> tiled(spec, options);
      default -> throw new ConfigException("unknown encoding '" + spec + "': expected " + KNOWN);
    };
  }

  private static TargetEncoding mix(String text) {
    int colon = text.indexOf(':');
    long seed = 0;
    if (text.charAt(3) == '@' && colon > 0) {
      try {
        seed = Long.parseLong(text.substring(4, colon));
      } catch (NumberFormatException e) {
        throw new ConfigException("encoding '" + text + "': the seed is not a number");
      }
    }
    List<Share> shares = new ArrayList<>();
    for (String share : text.substring(colon + 1).split("\\+", -1)) {
      int star = share.indexOf('*');
      if (star < 0) {
        throw new ConfigException(
            "encoding '" + text + "': expected mix:WEIGHT*ENCODING+WEIGHT*ENCODING");
      }
      try {
        double weight = Double.parseDouble(share.substring(0, star));
        shares.add(new Share(weight, parse(share.substring(star + 1))));
      } catch (NumberFormatException e) {
        throw new ConfigException("encoding '" + text + "': a weight is not a number");
      }
    }
    return new TargetEncoding.Mixed(shares, seed);
  }

  private static TargetEncoding none(String spec, List<String> options, TargetEncoding encoding) {
    if (!options.isEmpty()) {
      throw new ConfigException("encoding '" + spec + "' takes no options");
    }
    return encoding;
  }

  private static int number(String spec, List<String> options, int otherwise) {
    if (options.isEmpty() && otherwise >= 0) {
      return otherwise;
    }
    try {
      if (options.size() == 1) {
        return Integer.parseInt(options.getFirst());
      }
    } catch (NumberFormatException e) {
      throw new ConfigException("encoding '" + spec + "': the quality is not a number");
    }
    throw new ConfigException("encoding '" + spec + "': expected one quality behind the colon");
  }

  private static LosslessLevel level(String spec, List<String> options) {
    if (options.isEmpty()) {
      return TargetEncoding.Lossless.USUAL;
    }
    for (LosslessLevel level : LosslessLevel.values()) {
      if (options.equals(List.of(level.name().toLowerCase(Locale.ROOT)))) {
        return level;
      }
    }
    throw new ConfigException(
        "encoding '" + spec + "': expected lossless:fast, balanced, small or best");
  }

  private static MetadataPolicy metadata(String spec, List<String> options) {
    if (options.isEmpty()) {
      return MetadataPolicy.KEEP_ALL;
    }
    if (options.size() == 1) {
      switch (options.getFirst()) {
        case "keep" -> {
          return MetadataPolicy.KEEP_ALL;
        }
        case "colour", "color" -> {
          return MetadataPolicy.KEEP_ORIENTATION_AND_COLOUR;
        }
        case "drop" -> {
          return MetadataPolicy.DROP_ALL_BUT_NEEDED;
        }
        default -> {}
      }
    }
    throw new ConfigException(
        "encoding '" + spec + "': of metadata one can keep, keep the colour, or drop all");
  }

  /// {@return how a policy is written behind `before`; nothing if it is the usual one}
  static String metadata(MetadataPolicy policy, char before) {
    return switch (policy) {
      case KEEP_ALL -> "";
      case KEEP_ORIENTATION_AND_COLOUR -> before + "colour";
      case DROP_ALL_BUT_NEEDED -> before + "drop";
    };
  }

  private static TargetEncoding baseline(String spec, List<String> options) {
    boolean standard = !options.isEmpty() && options.getFirst().equals("standard");
    List<String> rest = standard ? options.subList(1, options.size()) : options;
    return new TargetEncoding.Baseline(!standard, metadata(spec, rest));
  }

  private static TargetEncoding tiled(String spec, List<String> options) {
    boolean sized = !options.isEmpty() && options.getFirst().matches("\\d{1,9}");
    List<String> rest = sized ? options.subList(1, options.size()) : options;
    int mcus = sized ? Integer.parseInt(options.getFirst()) : 0;
    return new TargetEncoding.Tiled(mcus, metadata(spec, rest));
  }
}
