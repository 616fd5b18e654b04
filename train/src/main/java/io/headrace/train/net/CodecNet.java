package io.headrace.train.net;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.headrace.train.net.Layers.Conv;
import io.headrace.train.net.Weights.Init;

/// A learned image codec while it is trained: bmshj2018-factorized or bmshj2018-hyperprior, with
/// CompressAI's names for tensors. Rounding is uniform noise, and strings are as long as the
/// likelihoods say. Source: J. Ballé et al., "Variational Image Compression with a Scale
/// Hyperprior".
///
/// Roots of normalisations are kept as they are, not above a bound: their squares are what counts.
public final class CodecNet implements AutoCloseable {
  /// What a codec is like.
  ///
  /// @param hyper whether it has a hyperprior
  /// @param channels of the layers
  /// @param latent channels of the numbers that are coded
  public record Spec(boolean hyper, int channels, int latent) {}

  /// What a batch gave.
  ///
  /// @param loss `weight · 255² · error + bits`
  /// @param error mean square, of pixels from 0 to 1
  /// @param bits for a pixel
  public record Outcome(NDArray loss, NDArray error, NDArray bits) {}

  /// The entropy model of one channel has layers of so many numbers.
  private static final int[] WIDTHS = {1, 3, 3, 3, 3, 1};

  private static final double SCALE = 10;
  private static final int KERNEL = 5;
  private static final float MIN_SCALE = 0.11f;
  private static final float MIN_LIKELIHOOD = 1e-9f;
  private static final String BOTTLENECK = "entropy_bottleneck.";

  private final Spec spec;
  private final Weights weights;
  private final Layers layers;
  private final Layer analysis;
  private final Layer synthesis;
  private final Layer hyperAnalysis;
  private final Layer hyperSynthesis;

  // backward needs factors again, see Layers
  private final NDArray half;
  private final NDArray rootHalf;
  private final NDArray bitsPerNat;

  /// A codec with weights drawn from a seed, as CompressAI draws them.
  public CodecNet(Spec spec, long seed) {
    this.spec = spec;
    weights = new Weights(seed);
    layers = new Layers(weights);
    half = weights.manager().create(0.5f);
    rootHalf = weights.manager().create((float) Math.sqrt(0.5));
    bitsPerNat = weights.manager().create((float) (1 / Math.log(2)));
    int n = spec.channels();
    int m = spec.latent();
    analysis =
        Layer.chain(
            conv("g_a.0", 3, n, KERNEL, 2),
            normalisation("g_a.1", n, false),
            conv("g_a.2", n, n, KERNEL, 2),
            normalisation("g_a.3", n, false),
            conv("g_a.4", n, n, KERNEL, 2),
            normalisation("g_a.5", n, false),
            conv("g_a.6", n, m, KERNEL, 2));
    synthesis =
        Layer.chain(
            transposed("g_s.0", m, n),
            normalisation("g_s.1", n, true),
            transposed("g_s.2", n, n),
            normalisation("g_s.3", n, true),
            transposed("g_s.4", n, n),
            normalisation("g_s.5", n, true),
            transposed("g_s.6", n, 3));
    bottleneck(spec.hyper() ? n : m);
    if (!spec.hyper()) {
      hyperAnalysis = (x, training) -> x;
      hyperSynthesis = hyperAnalysis;
      return;
    }
    hyperAnalysis =
        Layer.chain(
            conv("h_a.0", m, n, 3, 1),
            Layers.relu(),
            conv("h_a.2", n, n, KERNEL, 2),
            Layers.relu(),
            conv("h_a.4", n, n, KERNEL, 2));
    hyperSynthesis =
        Layer.chain(
            transposed("h_s.0", n, n),
            Layers.relu(),
            transposed("h_s.2", n, n),
            Layers.relu(),
            conv("h_s.4", n, m, 3, 1),
            Layers.relu());
  }

  /// {@return what it is like}
  public Spec spec() {
    return spec;
  }

  /// {@return its weights}
  public Weights weights() {
    return weights;
  }

  private Layer conv(String name, int in, int out, int kernel, int stride) {
    var conv = new Conv(name, in, out, kernel, stride);
    Init init = Layers.usual(conv.fanIn());
    return layers.conv(conv, conv.padding(), init, init);
  }

  /// A transposed convolution of stride 2 that doubles the size. The library has none with
  /// gradients, so it is one of 3 × 3 to four times the channels, which become 2 × 2 pixels: each
  /// of these takes the weights that fall on it.
  private Layer transposed(String name, int in, int out) {
    Init init = Layers.usual(out * KERNEL * KERNEL);
    NDArray weight = weights.parameter(name + ".weight", init, in, out, KERNEL, KERNEL);
    NDArray bias = weights.parameter(name + ".bias", init, out);
    int taps = KERNEL * KERNEL;
    var places = new float[taps * 36];
    for (int place = 0; place < 36; place++) {
      int y = place / 18 + KERNEL / 2 - 2 * (place / 3 % 3 - 1);
      int x = place / 9 % 2 + KERNEL / 2 - 2 * (place % 3 - 1);
      if (y >= 0 && y < KERNEL && x >= 0 && x < KERNEL) {
        places[(y * KERNEL + x) * 36 + place] = 1;
      }
    }
    NDArray spread = weights.manager().create(places, new Shape(taps, 36));
    var one = new Shape(1, 1);
    return (x, training) -> {
      NDArray spreadOut =
          here(weight, x, (long) in * out, taps)
              .matMul(spread)
              .reshape(in, out, 4, 3, 3)
              .transpose(1, 2, 0, 3, 4)
              .reshape(4L * out, in, 3, 3);
      NDArray four = Conv2d.conv2d(x, spreadOut, null, one, one, one, 1).singletonOrThrow();
      Shape size = four.getShape();
      return four.reshape(size.get(0), out, 2, 2, size.get(2), size.get(3))
          .transpose(0, 1, 4, 2, 5, 3)
          .reshape(size.get(0), out, 2 * size.get(2), 2 * size.get(3))
          .add(here(bias, x, 1, out, 1, 1));
    };
  }

  /// {@return a parameter in another shape, which belongs to the manager of `x`}
  private static NDArray here(NDArray parameter, NDArray x, long... shape) {
    NDArray view = parameter.reshape(shape);
    view.attach(x.getManager());
    return view;
  }

  private Layer normalisation(String name, int channels, boolean inverse) {
    NDArray beta = weights.parameter(name + ".beta", new Init.Constant(1), channels);
    NDArray gamma =
        weights.parameter(name + ".gamma", new Init.Constant(0x1p-18f), channels, channels);
    float[] start = gamma.toFloatArray();
    for (int i = 0; i < channels; i++) {
      start[i * channels + i] = (float) Math.sqrt(0.1);
    }
    gamma.set(start);
    var one = new Shape(1, 1);
    return (x, training) -> {
      NDArray roots = here(gamma, x, channels, channels, 1, 1);
      NDArray least = here(beta, x, 1, channels, 1, 1);
      NDArray norm =
          Conv2d.conv2d(x.mul(x), roots.mul(roots), null, one, new Shape(0, 0), one, 1)
              .singletonOrThrow()
              .add(least.mul(least))
              .add(1e-6)
              .sqrt();
      return inverse ? x.mul(norm) : x.div(norm);
    };
  }

  private void bottleneck(int channels) {
    double scale = Math.pow(SCALE, 1.0 / (WIDTHS.length - 1));
    for (int i = 0; i < WIDTHS.length - 1; i++) {
      float start = (float) Math.log(Math.expm1(1 / scale / WIDTHS[i + 1]));
      weights.parameter(
          BOTTLENECK + "matrices." + i,
          new Init.Constant(start),
          channels,
          WIDTHS[i + 1],
          WIDTHS[i]);
      weights.parameter(
          BOTTLENECK + "biases." + i, new Init.Uniform(0.5), channels, WIDTHS[i + 1], 1);
      if (i < WIDTHS.length - 2) {
        weights.parameter(
            BOTTLENECK + "factors." + i, new Init.Constant(0), channels, WIDTHS[i + 1], 1);
      }
    }
  }

  /// {@return the cumulative distribution at `values` before the sigmoid, [channels, 1, n]}
  private NDArray cumulative(NDArray values) {
    NDArray logits = values;
    for (int i = 0; i < WIDTHS.length - 1; i++) {
      NDArray matrix = parameter("matrices." + i, values);
      logits =
          JniUtils.softPlus((PtNDArray) matrix)
              .batchMatMul(logits)
              .add(parameter("biases." + i, values));
      if (i < WIDTHS.length - 2) {
        logits = logits.add(parameter("factors." + i, values).tanh().mul(logits.tanh()));
      }
    }
    return logits;
  }

  private NDArray parameter(String name, NDArray x) {
    NDArray parameter = weights.get(BOTTLENECK + name);
    return here(parameter, x, parameter.getShape().getShape());
  }

  private static NDArray noisy(NDArray x) {
    return x.add(x.getManager().randomUniform(-0.5f, 0.5f, x.getShape()));
  }

  /// {@return `x` where it is not below a bound, else the bound; gradients pass}
  private static NDArray bounded(NDArray x, float bound) {
    return x.add(x.maximum(bound).sub(x).stopGradient());
  }

  /// {@return nats of numbers under the bottleneck: one number}
  private NDArray nats(NDArray numbers) {
    Shape shape = numbers.getShape();
    NDArray flat = numbers.transpose(1, 0, 2, 3).reshape(shape.get(1), 1, -1);
    NDArray likelihood =
        Activation.sigmoid(cumulative(flat.add(0.5)))
            .sub(Activation.sigmoid(cumulative(flat.sub(0.5))));
    return bounded(likelihood, MIN_LIKELIHOOD).log().sum().neg();
  }

  /// {@return nats of numbers under Gaussians around 0: one number}
  private NDArray nats(NDArray numbers, NDArray scales) {
    NDArray size = numbers.abs().neg();
    NDArray deviation = bounded(scales, MIN_SCALE);
    NDArray likelihood =
        size.add(0.5)
            .div(deviation)
            .mul(rootHalf)
            .erf()
            .sub(size.sub(0.5).div(deviation).mul(rootHalf).erf())
            .mul(half);
    return bounded(likelihood, MIN_LIKELIHOOD).log().sum().neg();
  }

  /// {@return how well the codec does on pictures}
  ///
  /// @param pictures float32 [batch, 3, height, width] from 0 to 1, sides multiples of 64
  /// @param weight of the error against bits
  public Outcome forward(NDArray pictures, double weight) {
    NDManager step = pictures.getManager();
    NDArray y = analysis.apply(pictures, true);
    NDArray noisy = noisy(y);
    NDArray nats;
    if (spec.hyper()) {
      NDArray z = noisy(hyperAnalysis.apply(y.abs(), true));
      nats = nats(z).add(nats(noisy, hyperSynthesis.apply(z, true)));
    } else {
      nats = nats(noisy);
    }
    NDArray difference = synthesis.apply(noisy, true).sub(pictures);
    NDArray error = difference.mul(difference).mean();
    Shape shape = pictures.getShape();
    float pixels = shape.get(0) * shape.get(2) * shape.get(3);
    NDArray bits = nats.mul(bitsPerNat).div(step.create(pixels));
    return new Outcome(error.mul(step.create((float) (weight * 255 * 255))).add(bits), error, bits);
  }

  /// Takes the weights of another one of the same kind.
  public void take(CodecNet other) {
    weights.forEach((name, array) -> array.set(other.weights.get(name).toFloatArray()));
  }

  /// {@return layers of the entropy model of each channel}
  public static int bottleneckLayers() {
    return WIDTHS.length - 1;
  }

  /// {@return a parameter of the bottleneck}
  public float[] bottleneck(String name) {
    return weights.get(BOTTLENECK + name).toFloatArray();
  }

  /// {@return numbers of each pixel that the bottleneck codes}
  public int bottleneckChannels() {
    return spec.hyper() ? spec.channels() : spec.latent();
  }

  /// Frees the weights.
  @Override
  public void close() {
    weights.close();
  }
}
