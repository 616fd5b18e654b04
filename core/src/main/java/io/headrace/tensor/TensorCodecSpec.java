package io.headrace.tensor;

import io.headrace.error.ConfigException;
import io.headrace.tensor.TensorCodec.Adaptive;
import io.headrace.tensor.TensorCodec.Cheapest;
import io.headrace.tensor.TensorCodec.Csr;
import io.headrace.tensor.TensorCodec.Fpc;
import io.headrace.tensor.TensorCodec.Lz4;
import io.headrace.tensor.TensorCodec.Rle;
import io.headrace.tensor.TensorCodec.Shuffled;
import io.headrace.tensor.TensorCodec.Store;
import io.headrace.tensor.TensorCodec.ZfpAccuracy;
import io.headrace.tensor.TensorCodec.ZfpRate;
import io.headrace.tensor.TensorCodec.ZfpReversible;
import io.headrace.tensor.TensorCodec.Zvc;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// The spelling of tensor codecs.
final class TensorCodecSpec {
  private static final double DEFAULT_MBPS = 1000;

  /// Taken out one by one; what is left was unknown.
  private final Map<String, String> options = new LinkedHashMap<>();
  private final String spec;

  private TensorCodecSpec(String spec, String text) {
    this.spec = spec;
    if (text.isEmpty()) {
      return;
    }
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 1) {
        throw bad("'" + pair + "' is not option=value");
      }
      if (options.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip())
          != null) {
        throw bad("'" + pair + "' is given twice");
      }
    }
  }

  static TensorCodec parse(String spec) {
    String lower = spec.strip().toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':');
    String label = colon < 0 ? lower : lower.substring(0, colon).strip();
    var options = new TensorCodecSpec(spec, colon < 0 ? "" : lower.substring(colon + 1).strip());
    TensorCodec codec =
        switch (label) {
          case "store" -> new Store();
          case "zvc" -> new Zvc();
          case "rle" -> new Rle();
          case "csr" -> new Csr();
          case "lz4" -> new Lz4(options.level(Lz4.DEFAULT.level()));
          case "shuffle" -> new Shuffled(options.level(Shuffled.DEFAULT.level()));
          case "fpc" -> new Fpc(options.level(Fpc.DEFAULT.level()));
          case "adaptive" -> new Adaptive(options.level(Adaptive.DEFAULT.level()));
          case "zfp" -> options.zfp();
          case "cheapest" -> options.cheapest();
          default ->
              throw options.bad(
                  "unknown; expected store, zvc, rle, csr, lz4, shuffle, fpc, adaptive, zfp or"
                      + " cheapest");
        };
    if (!options.options.isEmpty()) {
      String unknown = options.options.keySet().iterator().next();
      throw options.bad("%s has no option '%s' here".formatted(label, unknown));
    }
    return codec;
  }

  private TensorCodec zfp() {
    if (options.containsKey("accuracy")) {
      return new ZfpAccuracy(number("accuracy", 0));
    }
    return options.containsKey("rate") ? new ZfpRate(number("rate", 0)) : new ZfpReversible();
  }

  private TensorCodec cheapest() {
    double bytesPerSecond = 1e6 * number("mbps", DEFAULT_MBPS);
    double reads = number("reads", 1);
    String among = options.remove("among");
    return switch (among) {
      case null -> new Cheapest(bytesPerSecond, reads, Cheapest.CSWAP, CodecCosts.TYPICAL);
      case "cswap" -> new Cheapest(bytesPerSecond, reads, Cheapest.CSWAP, CodecCosts.TYPICAL);
      case "all" -> new Cheapest(bytesPerSecond, reads, Cheapest.ALL, CodecCosts.TYPICAL);
      default -> throw bad("among '%s': cswap or all".formatted(among));
    };
  }

  private int level(int otherwise) {
    double level = number("level", otherwise);
    if (level != Math.rint(level)) {
      throw bad("level %s is no whole number".formatted(level));
    }
    return (int) level;
  }

  private double number(String name, double otherwise) {
    String value = options.remove(name);
    if (value == null) {
      return otherwise;
    }
    try {
      return Double.parseDouble(value);
    } catch (NumberFormatException e) {
      throw bad("%s '%s' is not a number".formatted(name, value));
    }
  }

  private ConfigException bad(String what) {
    return new ConfigException("tensor codec '%s': %s".formatted(spec, what));
  }

  static void checkLevel(String label, int level, int min, int max) {
    if (level < min || level > max) {
      throw new ConfigException(
          "%s: level %d is not in %d to %d".formatted(label, level, min, max));
    }
  }

  static String level(String label, int level, int otherwise) {
    return level == otherwise ? label : label + ":level=" + level;
  }
}
