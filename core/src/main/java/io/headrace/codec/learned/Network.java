package io.headrace.codec.learned;

import io.headrace.codec.learned.entropy.CdfTables;
import io.headrace.codec.learned.entropy.SymbolCoder;
import io.headrace.codec.learned.layer.Dense;
import io.headrace.codec.learned.layer.FeatureMap;
import io.headrace.codec.learned.layer.Layer;
import io.headrace.codec.learned.layer.Scratch;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.weights.Safetensors;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A learned codec: picture to numbers and back, and how the numbers are distributed. Immutable:
/// all workers share it.
final class Network {
  /// Pictures are filled up to a multiple of this.
  static final int MULTIPLE = 64;

  /// Pixels one way for each number of a factorized network's map.
  static final int FACTORIZED = 16;

  private static final String BOTTLENECK = "entropy_bottleneck";
  private static final String GAUSSIAN = "gaussian_conditional";

  private final Architecture architecture;
  private final int channels;
  private final Layer analysis;
  private final Layer synthesis;
  private final Bottleneck bottleneck;
  private final @Nullable Hyper hyper;

  /// The hyperprior.
  ///
  /// @param channels of the second map
  /// @param context of the pixels before, if it is serial
  private record Hyper(
      int channels,
      Layer analysis,
      Layer synthesis,
      Gaussian gaussian,
      @Nullable Context context) {}

  /// A network of a file's tensors.
  ///
  /// @throws ConfigException if one is missing, or has not as many extents or elements as it must,
  ///     or layers do not fit each other
  Network(Architecture architecture, Safetensors file) {
    this.architecture = architecture;
    var layers = new Layers(file);
    bottleneck = layers.bottleneck(BOTTLENECK);
    analysis = analysis(layers);
    synthesis = synthesis(layers);
    hyper = architecture.hyper() ? hyper(layers) : null;
    channels = channels(layers);
    tryOut(file.name());
  }

  /// Codes the smallest picture there and back, so that what does not fit is found at once.
  private void tryOut(String file) {
    SymbolCoder none = (tables, row, exact) -> tables.offset(row);
    SymbolCoder[] coders = {none, none};
    try (var scratch = new Scratch(new MemoryBudget(Runtime.getRuntime().maxMemory() / 2))) {
      FeatureMap picture = scratch.take(3, MULTIPLE, MULTIPLE);
      Arrays.fill(picture.data, 0, picture.size(), 0);
      FeatureMap y = encode(picture, coders, scratch);
      int edge = MULTIPLE / FACTORIZED;
      int numbers = channels * edge * edge;
      Layer.require(y.size() == numbers, "the entropy coder", numbers, y.size());
      FeatureMap shown = picture(decode(MULTIPLE, MULTIPLE, coders, scratch), scratch);
      Layer.require(shown.size() == picture.size(), "a picture", picture.size(), shown.size());
    } catch (IllegalArgumentException | IndexOutOfBoundsException | DecodeException e) {
      throw new ConfigException(
          "%s: its layers do not fit each other: %s".formatted(file, e.getMessage()));
    }
  }

  private int channels(Layers layers) {
    int last = architecture == Architecture.CHENG2020_ATTN ? 7 : 6;
    return layers.shape("g_a." + last + ".weight", 4)[0];
  }

  private Layer analysis(Layers l) {
    return switch (architecture) {
      case CHENG2020_ANCHOR ->
          Layer.chain(
              l.residualDown("g_a.0"),
              l.residual("g_a.1"),
              l.residualDown("g_a.2"),
              l.residual("g_a.3"),
              l.residualDown("g_a.4"),
              l.residual("g_a.5"),
              l.convolution("g_a.6", 2));
      case CHENG2020_ATTN ->
          Layer.chain(
              l.residualDown("g_a.0"),
              l.residual("g_a.1"),
              l.residualDown("g_a.2"),
              l.attention("g_a.3"),
              l.residual("g_a.4"),
              l.residualDown("g_a.5"),
              l.residual("g_a.6"),
              l.convolution("g_a.7", 2),
              l.attention("g_a.8"));
      default ->
          Layer.chain(
              l.convolution("g_a.0", 2),
              l.normalisation("g_a.1", false),
              l.convolution("g_a.2", 2),
              l.normalisation("g_a.3", false),
              l.convolution("g_a.4", 2),
              l.normalisation("g_a.5", false),
              l.convolution("g_a.6", 2));
    };
  }

  private Layer synthesis(Layers l) {
    return switch (architecture) {
      case CHENG2020_ANCHOR ->
          Layer.chain(
              l.residual("g_s.0"),
              l.residualUp("g_s.1"),
              l.residual("g_s.2"),
              l.residualUp("g_s.3"),
              l.residual("g_s.4"),
              l.residualUp("g_s.5"),
              l.residual("g_s.6"),
              l.subpixel("g_s.7"));
      case CHENG2020_ATTN ->
          Layer.chain(
              l.attention("g_s.0"),
              l.residual("g_s.1"),
              l.residualUp("g_s.2"),
              l.residual("g_s.3"),
              l.residualUp("g_s.4"),
              l.attention("g_s.5"),
              l.residual("g_s.6"),
              l.residualUp("g_s.7"),
              l.residual("g_s.8"),
              l.subpixel("g_s.9"));
      default ->
          Layer.chain(
              l.transposed("g_s.0"),
              l.normalisation("g_s.1", true),
              l.transposed("g_s.2"),
              l.normalisation("g_s.3", true),
              l.transposed("g_s.4"),
              l.normalisation("g_s.5", true),
              l.transposed("g_s.6"));
    };
  }

  private Hyper hyper(Layers l) {
    Gaussian gaussian = l.gaussian(GAUSSIAN);
    return new Hyper(
        bottleneck.tables().size(),
        hyperAnalysis(l),
        hyperSynthesis(l),
        gaussian,
        architecture.serial() ? context(l, gaussian) : null);
  }

  private Layer hyperAnalysis(Layers l) {
    return switch (architecture) {
      case CHENG2020_ANCHOR, CHENG2020_ATTN ->
          Layer.chain(
              l.convolution("h_a.0", 1),
              Layers.leaky(),
              l.convolution("h_a.2", 1),
              Layers.leaky(),
              l.convolution("h_a.4", 2),
              Layers.leaky(),
              l.convolution("h_a.6", 1),
              Layers.leaky(),
              l.convolution("h_a.8", 2));
      default -> {
        Layer rectifier =
            architecture == Architecture.BMSHJ2018_HYPERPRIOR ? Layers.relu() : Layers.leaky();
        yield Layer.chain(
            l.convolution("h_a.0", 1),
            rectifier,
            l.convolution("h_a.2", 2),
            rectifier,
            l.convolution("h_a.4", 2));
      }
    };
  }

  private Layer hyperSynthesis(Layers l) {
    return switch (architecture) {
      case BMSHJ2018_HYPERPRIOR ->
          Layer.chain(
              l.transposed("h_s.0"),
              Layers.relu(),
              l.transposed("h_s.2"),
              Layers.relu(),
              l.convolution("h_s.4", 1),
              Layers.relu());
      case CHENG2020_ANCHOR, CHENG2020_ATTN ->
          Layer.chain(
              l.convolution("h_s.0", 1),
              Layers.leaky(),
              l.subpixel("h_s.2"),
              Layers.leaky(),
              l.convolution("h_s.4", 1),
              Layers.leaky(),
              l.subpixel("h_s.6"),
              Layers.leaky(),
              l.convolution("h_s.8", 1));
      default ->
          Layer.chain(
              l.transposed("h_s.0"),
              Layers.leaky(),
              l.transposed("h_s.2"),
              Layers.leaky(),
              l.convolution("h_s.4", 1));
    };
  }

  private static Context context(Layers l, Gaussian gaussian) {
    int[] shape = l.shape("context_prediction.weight", 4);
    return new Context(
        l.floats("context_prediction.weight", shape[0] * shape[1] * shape[2] * shape[3]),
        l.floats("context_prediction.bias", shape[0]),
        shape[1],
        new Dense[] {
          l.dense("entropy_parameters.0"),
          l.dense("entropy_parameters.2"),
          l.dense("entropy_parameters.4")
        },
        gaussian);
  }

  /// {@return strings that a picture has}
  int strings() {
    return hyper == null ? 1 : 2;
  }

  /// {@return pixels of a picture, one way, for each number of the map whose size is told}
  int reduction() {
    return hyper == null ? FACTORIZED : MULTIPLE;
  }

  /// {@return the tables of a string: 0 for the picture's numbers, 1 for the hyperprior's}
  CdfTables tables(int string) {
    return hyper == null || string == 1 ? bottleneck.tables() : hyper.gaussian.tables();
  }

  /// Codes a picture.
  ///
  /// @param picture float32 [3, height, width] from 0 to 1, sides multiples of 64
  /// @param coders take the values of each string
  /// @return the numbers as the decoder will have them
  FeatureMap encode(FeatureMap picture, SymbolCoder[] coders, Scratch scratch)
      throws DecodeException {
    FeatureMap y = analysis.apply(picture, scratch);
    if (hyper == null) {
      bottleneck.code(y, coders[0]);
      return y;
    }
    FeatureMap z;
    if (architecture == Architecture.BMSHJ2018_HYPERPRIOR) {
      FeatureMap size = scratch.like(y);
      for (int i = 0, n = y.size(); i < n; i++) {
        size.data[i] = Math.abs(y.data[i]);
      }
      z = hyper.analysis.apply(size, scratch);
      scratch.give(size);
    } else {
      z = hyper.analysis.apply(y, scratch);
    }
    code(hyper, y, z, coders, scratch);
    return y;
  }

  /// Reads a picture's numbers.
  ///
  /// @param height of the picture, a multiple of 64, as is its width
  /// @param coders give the values of each string
  FeatureMap decode(int height, int width, SymbolCoder[] coders, Scratch scratch)
      throws DecodeException {
    FeatureMap y = scratch.take(channels, height / FACTORIZED, width / FACTORIZED);
    if (hyper == null) {
      bottleneck.code(y, coders[0]);
    } else {
      FeatureMap z = scratch.take(hyper.channels, height / MULTIPLE, width / MULTIPLE);
      code(hyper, y, z, coders, scratch);
    }
    return y;
  }

  private void code(Hyper hyper, FeatureMap y, FeatureMap z, SymbolCoder[] coders, Scratch scratch)
      throws DecodeException {
    bottleneck.code(z, coders[1]);
    FeatureMap parameters = hyper.synthesis.apply(z, scratch);
    scratch.give(z);
    if (hyper.context == null) {
      hyper.gaussian.code(y, parameters, coders[0]);
    } else {
      hyper.context.code(y, parameters, coders[0], scratch);
    }
    scratch.give(parameters);
  }

  /// {@return the picture of numbers: float32 [3, height, width], about 0 to 1}
  FeatureMap picture(FeatureMap y, Scratch scratch) throws DecodeException {
    return synthesis.apply(y, scratch);
  }
}
