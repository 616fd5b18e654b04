package io.headrace.tensor;

import io.headrace.error.ConfigException;
import io.headrace.spec.Spec;
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

/// The spelling of tensor codecs.
final class TensorCodecSpec {
  private static final double DEFAULT_MBPS = 1000;

  private TensorCodecSpec() {}

  static TensorCodec parse(String text) {
    Spec spec = Spec.commas("tensor codec", text);
    return spec.end(
        switch (spec.name()) {
          case "store" -> new Store();
          case "zvc" -> new Zvc();
          case "rle" -> new Rle();
          case "csr" -> new Csr();
          case "lz4" -> new Lz4(spec.optionNumber("level", Lz4.DEFAULT.level()));
          case "shuffle" -> new Shuffled(spec.optionNumber("level", Shuffled.DEFAULT.level()));
          case "fpc" -> new Fpc(spec.optionNumber("level", Fpc.DEFAULT.level()));
          case "adaptive" -> new Adaptive(spec.optionNumber("level", Adaptive.DEFAULT.level()));
          case "zfp" -> zfp(spec);
          case "cheapest" -> cheapest(spec);
          default ->
              throw spec.unknown(
                  "store, zvc, rle, csr, lz4, shuffle, fpc, adaptive, zfp or cheapest");
        });
  }

  private static TensorCodec zfp(Spec spec) {
    double accuracy = spec.optionDecimal("accuracy", Double.NaN);
    if (!Double.isNaN(accuracy)) {
      return new ZfpAccuracy(accuracy);
    }
    double rate = spec.optionDecimal("rate", Double.NaN);
    return Double.isNaN(rate) ? new ZfpReversible() : new ZfpRate(rate);
  }

  private static TensorCodec cheapest(Spec spec) {
    double bytesPerSecond = 1e6 * spec.optionDecimal("mbps", DEFAULT_MBPS);
    double reads = spec.optionDecimal("reads", 1);
    String among = spec.option("among");
    return switch (among) {
      case null -> new Cheapest(bytesPerSecond, reads, Cheapest.CSWAP, CodecCosts.TYPICAL);
      case "cswap" -> new Cheapest(bytesPerSecond, reads, Cheapest.CSWAP, CodecCosts.TYPICAL);
      case "all" -> new Cheapest(bytesPerSecond, reads, Cheapest.ALL, CodecCosts.TYPICAL);
      default -> throw spec.bad("among '%s': cswap or all".formatted(among));
    };
  }

  static void checkLevel(String label, int level, int min, int max) {
    if (level < min || level > max) {
      throw new ConfigException(
          "%s: level %d is not in %d to %d".formatted(label, level, min, max));
    }
  }

  static String text(TensorCodec codec) {
    String label = codec.label();
    return switch (codec) {
      case Store _, Zvc _, Rle _, Csr _, ZfpReversible _ -> label;
      case Lz4(int level) -> level(label, level, Lz4.DEFAULT.level());
      case Shuffled(int level) -> level(label, level, Shuffled.DEFAULT.level());
      case Fpc(int level) -> level(label, level, Fpc.DEFAULT.level());
      case Adaptive(int level) -> level(label, level, Adaptive.DEFAULT.level());
      case ZfpAccuracy(double tolerance) -> label + ":accuracy=" + tolerance;
      case ZfpRate(double bits) -> label + ":rate=" + bits;
      case Cheapest(double bytesPerSecond, double reads, var among, _) ->
          "%s:mbps=%s%s%s"
              .formatted(
                  label,
                  bytesPerSecond / 1e6,
                  reads == 1 ? "" : ",reads=" + reads,
                  among.equals(Cheapest.ALL) ? ",among=all" : "");
    };
  }

  private static String level(String label, int level, int otherwise) {
    return level == otherwise ? label : label + ":level=" + level;
  }
}
