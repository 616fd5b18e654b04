package io.headrace.convert;

import io.headrace.codec.jpeg.coefficients.ScanGroups;
import io.headrace.codec.stream.BlobCompression;
import io.headrace.error.ConfigException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the options of race as users write them.
final class PackingText {
  private static final int LZ4_LEVEL = 0;
  private static final int ZSTD_LEVEL = 3;

  private PackingText() {}

  static Packing.Race race(String spec, String options) {
    ScanGroups groups = null;
    BlobCompression compression = new BlobCompression.None();
    int block = 0;
    int dictionary = 0;
    for (String option : options.isEmpty() ? new String[0] : options.split(",", -1)) {
      int equals = option.indexOf('=');
      String value = option.substring(equals + 1);
      switch (equals < 0 ? option : option.substring(0, equals)) {
        case "groups" -> groups = groups(spec, value);
        case "blobs" -> compression = blobs(spec, value);
        case "block" -> block = number(spec, value);
        case "dictionary" -> dictionary = number(spec, value);
        default ->
            throw new ConfigException(
                "format '%s': '%s' is not known; expected groups=, blobs=, block= or dictionary="
                    .formatted(spec, option));
      }
    }
    return new Packing.Race(groups, compression, block, dictionary);
  }

  private static @Nullable ScanGroups groups(String spec, String value) {
    if (value.equals("each")) {
      return ScanGroups.EACH_SCAN;
    }
    return ScanGroups.of(
        Stream.of(value.split("/", -1)).mapToInt(scan -> number(spec, scan)).toArray());
  }

  private static BlobCompression blobs(String spec, String value) {
    int colon = value.indexOf(':');
    String name = colon < 0 ? value : value.substring(0, colon);
    String level = colon < 0 ? "" : value.substring(colon + 1);
    return switch (name) {
      case "none" -> new BlobCompression.None();
      case "lz4" -> new BlobCompression.Lz4(level.isEmpty() ? LZ4_LEVEL : number(spec, level));
      case "zstd" -> new BlobCompression.Zstd(level.isEmpty() ? ZSTD_LEVEL : number(spec, level));
      default ->
          throw new ConfigException(
              "format '%s': blobs are compressed by none, lz4 or zstd".formatted(spec));
    };
  }

  private static int number(String spec, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new ConfigException("format '%s': '%s' is not a number".formatted(spec, text));
    }
  }
}
