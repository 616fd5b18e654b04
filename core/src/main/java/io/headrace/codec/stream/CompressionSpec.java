package io.headrace.codec.stream;

import io.headrace.codec.stream.Compression.Bzip2;
import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.Lz4;
import io.headrace.codec.stream.Compression.None;
import io.headrace.codec.stream.Compression.Snappy;
import io.headrace.codec.stream.Compression.Strategy;
import io.headrace.codec.stream.Compression.Xz;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.error.ConfigException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The spelling of compressions, and the ranges of their options.
final class CompressionSpec {
  /// Taken out by one parser after the other; what is left was unknown.
  private final Map<String, String> options = new LinkedHashMap<>();
  private final String spec;

  private CompressionSpec(String spec, String text) {
    this.spec = spec;
    if (text.isEmpty()) {
      return;
    }
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw bad("'" + pair + "' is not option=value");
      }
      String name = pair.substring(0, equals).strip();
      if (options.put(name, pair.substring(equals + 1).strip()) != null) {
        throw bad("option '" + name + "' is given twice");
      }
    }
  }

  static Compression parse(String spec) {
    String lower = spec.strip().toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':');
    String label = colon < 0 ? lower : lower.substring(0, colon).strip();
    var options = new CompressionSpec(spec, colon < 0 ? "" : lower.substring(colon + 1).strip());
    Compression compression =
        switch (StreamKind.of(label)) {
          case NONE -> new None();
          case ZLIB -> {
            Zlib d = Zlib.DEFAULT;
            yield new Zlib(
                options.number("level", d.level()),
                options.number("window", d.windowBits()),
                options.number("mem", d.memLevel()),
                options.strategy());
          }
          case GZIP -> {
            Gzip d = Gzip.DEFAULT;
            yield new Gzip(
                options.number("level", d.level()),
                options.number("window", d.windowBits()),
                options.number("mem", d.memLevel()),
                options.strategy());
          }
          case ZSTD -> {
            Zstd d = Zstd.DEFAULT;
            yield new Zstd(
                options.number("level", d.level()),
                options.number("strategy", d.strategy()),
                options.number("windowlog", d.windowLog()),
                options.number("workers", d.workers()),
                options.flag("checksum", d.checksum()));
          }
          case LZ4 -> {
            Lz4 d = Lz4.DEFAULT;
            yield new Lz4(
                options.number("level", d.level()),
                options.number("blocksize", d.blockSize()),
                options.flag("blockchecksum", d.blockChecksum()),
                options.flag("checksum", d.checksum()));
          }
          case SNAPPY -> new Snappy();
          case XZ -> new Xz(options.number("level", Xz.DEFAULT.level()));
          case BZIP2 -> new Bzip2(options.number("level", Bzip2.DEFAULT.level()));
        };
    if (!options.options.isEmpty()) {
      String unknown = options.options.keySet().iterator().next();
      throw options.bad("%s has no option '%s'".formatted(label, unknown));
    }
    return compression;
  }

  private int number(String name, int otherwise) {
    String value = options.remove(name);
    if (value == null) {
      return otherwise;
    }
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw bad("%s '%s' is not a number".formatted(name, value));
    }
  }

  private boolean flag(String name, boolean otherwise) {
    String value = options.remove(name);
    return switch (value) {
      case null -> otherwise;
      case "true", "1", "yes", "on" -> true;
      case "false", "0", "no", "off" -> false;
      default -> throw bad("%s '%s' is neither true nor false".formatted(name, value));
    };
  }

  private Strategy strategy() {
    String value = options.remove("strategy");
    return switch (value) {
      case null -> Strategy.DEFAULT;
      case "default", "0" -> Strategy.DEFAULT;
      case "filtered", "1" -> Strategy.FILTERED;
      case "huffman", "huffman_only", "2" -> Strategy.HUFFMAN_ONLY;
      case "rle", "3" -> Strategy.RLE;
      case "fixed", "4" -> Strategy.FIXED;
      default ->
          throw bad("strategy '%s': default, filtered, huffman, rle or fixed".formatted(value));
    };
  }

  private ConfigException bad(String what) {
    return new ConfigException("compression '%s': %s".formatted(spec, what));
  }

  static String deflate(String label, int level, int window, int mem, Strategy strategy) {
    Zlib d = Zlib.DEFAULT;
    return join(
        label,
        level == d.level() ? null : "level=" + level,
        strategy == d.strategy() ? null : "strategy=" + spelling(strategy),
        window == d.windowBits() ? null : "window=" + window,
        mem == d.memLevel() ? null : "mem=" + mem);
  }

  private static String spelling(Strategy strategy) {
    return strategy == Strategy.HUFFMAN_ONLY ? "huffman" : strategy.name().toLowerCase(Locale.ROOT);
  }

  static String zstd(Zstd z) {
    Zstd d = Zstd.DEFAULT;
    return join(
        z.label(),
        z.level() == d.level() ? null : "level=" + z.level(),
        z.strategy() == d.strategy() ? null : "strategy=" + z.strategy(),
        z.windowLog() == d.windowLog() ? null : "windowlog=" + z.windowLog(),
        z.workers() == d.workers() ? null : "workers=" + z.workers(),
        z.checksum() == d.checksum() ? null : "checksum=" + z.checksum());
  }

  static String lz4(Lz4 l) {
    Lz4 d = Lz4.DEFAULT;
    return join(
        l.label(),
        l.level() == d.level() ? null : "level=" + l.level(),
        l.blockSize() == d.blockSize() ? null : "blocksize=" + l.blockSize(),
        l.blockChecksum() == d.blockChecksum() ? null : "blockchecksum=" + l.blockChecksum(),
        l.checksum() == d.checksum() ? null : "checksum=" + l.checksum());
  }

  static String level(String label, int level, int otherwise) {
    return join(label, level == otherwise ? null : "level=" + level);
  }

  private static String join(String label, @Nullable String... options) {
    var text = new StringJoiner(",", label + ":", "").setEmptyValue(label);
    for (String option : options) {
      if (option != null) {
        text.add(option);
      }
    }
    return text.toString();
  }

  static void checkDeflate(String label, int level, int windowBits, int memLevel) {
    checkRange(label, "level", level, -1, 9);
    checkRange(label, "window", windowBits, 9, 15);
    checkRange(label, "mem", memLevel, 1, 9);
  }

  static void checkRange(String label, String option, int value, int min, int max) {
    if (value < min || value > max) {
      throw new ConfigException(
          "%s: %s %d is not in %d to %d".formatted(label, option, value, min, max));
    }
  }
}
