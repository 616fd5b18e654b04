package io.headrace.codec.stream;

import io.headrace.codec.stream.Compression.Bzip2;
import io.headrace.codec.stream.Compression.Gzip;
import io.headrace.codec.stream.Compression.Lz4;
import io.headrace.codec.stream.Compression.Lzma;
import io.headrace.codec.stream.Compression.Lzop;
import io.headrace.codec.stream.Compression.None;
import io.headrace.codec.stream.Compression.Snappy;
import io.headrace.codec.stream.Compression.Strategy;
import io.headrace.codec.stream.Compression.Xz;
import io.headrace.codec.stream.Compression.Zlib;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// The spelling of compressions, and the ranges of their options.
final class CompressionSpec {
  private CompressionSpec() {}

  static Compression parse(String text) {
    Spec spec = Spec.commas("compression", text);
    return spec.end(
        switch (StreamKind.of(spec.name())) {
          case NONE -> new None();
          case ZLIB -> {
            Zlib d = Zlib.DEFAULT;
            yield new Zlib(
                spec.optionNumber("level", d.level()),
                spec.optionNumber("window", d.windowBits()),
                spec.optionNumber("mem", d.memLevel()),
                strategy(spec));
          }
          case GZIP -> {
            Gzip d = Gzip.DEFAULT;
            yield new Gzip(
                spec.optionNumber("level", d.level()),
                spec.optionNumber("window", d.windowBits()),
                spec.optionNumber("mem", d.memLevel()),
                strategy(spec));
          }
          case ZSTD -> {
            Zstd d = Zstd.DEFAULT;
            yield new Zstd(
                spec.optionNumber("level", d.level()),
                spec.optionNumber("strategy", d.strategy()),
                spec.optionNumber("windowlog", d.windowLog()),
                spec.optionNumber("workers", d.workers()),
                spec.flag("checksum", d.checksum()));
          }
          case LZ4 -> {
            Lz4 d = Lz4.DEFAULT;
            yield new Lz4(
                spec.optionNumber("level", d.level()),
                spec.optionNumber("blocksize", d.blockSize()),
                spec.flag("blockchecksum", d.blockChecksum()),
                spec.flag("checksum", d.checksum()));
          }
          case SNAPPY -> new Snappy();
          case XZ -> new Xz(spec.optionNumber("level", Xz.DEFAULT.level()));
          case BZIP2 -> new Bzip2(spec.optionNumber("level", Bzip2.DEFAULT.level()));
          case LZMA -> new Lzma(spec.optionNumber("level", Lzma.DEFAULT.level()));
          case LZOP -> new Lzop();
        });
  }

  private static Strategy strategy(Spec spec) {
    String value = spec.option("strategy");
    return switch (value) {
      case null -> Strategy.DEFAULT;
      case "default", "0" -> Strategy.DEFAULT;
      case "filtered", "1" -> Strategy.FILTERED;
      case "huffman", "huffman_only", "2" -> Strategy.HUFFMAN_ONLY;
      case "rle", "3" -> Strategy.RLE;
      case "fixed", "4" -> Strategy.FIXED;
      default ->
          throw spec.bad(
              "strategy '%s': default, filtered, huffman, rle or fixed".formatted(value));
    };
  }

  static String text(Compression compression) {
    String label = compression.label();
    return switch (compression) {
      case None _, Snappy _, Lzop _ -> label;
      case Zlib(int level, int window, int mem, Strategy strategy) ->
          deflate(label, level, window, mem, strategy);
      case Gzip(int level, int window, int mem, Strategy strategy) ->
          deflate(label, level, window, mem, strategy);
      case Zstd z -> zstd(z);
      case Lz4 l -> lz4(l);
      case Xz(int level) -> join(label, option("level", level, Xz.DEFAULT.level()));
      case Bzip2(int level) -> join(label, option("level", level, Bzip2.DEFAULT.level()));
      case Lzma(int level) -> join(label, option("level", level, Lzma.DEFAULT.level()));
    };
  }

  private static String deflate(String label, int level, int window, int mem, Strategy strategy) {
    Zlib d = Zlib.DEFAULT;
    return join(
        label,
        option("level", level, d.level()),
        strategy == d.strategy() ? null : "strategy=" + spelling(strategy),
        option("window", window, d.windowBits()),
        option("mem", mem, d.memLevel()));
  }

  private static String spelling(Strategy strategy) {
    return strategy == Strategy.HUFFMAN_ONLY ? "huffman" : strategy.name().toLowerCase(Locale.ROOT);
  }

  private static String zstd(Zstd z) {
    Zstd d = Zstd.DEFAULT;
    return join(
        z.label(),
        option("level", z.level(), d.level()),
        option("strategy", z.strategy(), d.strategy()),
        option("windowlog", z.windowLog(), d.windowLog()),
        option("workers", z.workers(), d.workers()),
        option("checksum", z.checksum(), d.checksum()));
  }

  private static String lz4(Lz4 l) {
    Lz4 d = Lz4.DEFAULT;
    return join(
        l.label(),
        option("level", l.level(), d.level()),
        option("blocksize", l.blockSize(), d.blockSize()),
        option("blockchecksum", l.blockChecksum(), d.blockChecksum()),
        option("checksum", l.checksum(), d.checksum()));
  }

  /// {@return an option, null if it is the default}
  private static @Nullable String option(String name, Object value, Object otherwise) {
    return value.equals(otherwise) ? null : name + "=" + value;
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
