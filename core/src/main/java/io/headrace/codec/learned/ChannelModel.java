package io.headrace.codec.learned;

import io.headrace.codec.learned.entropy.CdfTables;
import java.util.Arrays;

/// The integer table of one channel of an entropy bottleneck, made of the function that training
/// found: a monotonous one of few layers, whose sigmoid is the cumulative distribution.
///
/// The table reaches from the quantile of half the tail's mass to that of the rest. Quantiles are
/// found by halving. Source: J. Ballé et al., "Variational Image Compression with a Scale
/// Hyperprior", appendix 6.1.
public final class ChannelModel {
  private static final double TAIL = 1e-9;
  private static final double REACH = 1e5;

  /// Symbols on either side of the median, at most; values farther away take the escape.
  private static final int MAX_REACH = 1 << 13;

  private final float[][] matrices;
  private final float[][] biases;
  private final float[][] factors;

  private final float low;
  private final float median;
  private final float high;

  /// @param matrices of each layer, [channels, out, in], before the softplus
  /// @param biases of each layer, [channels, out]
  /// @param factors of all layers but the last, [channels, out], before the tanh
  /// @param channel which one
  /// @param channels how many there are
  public ChannelModel(
      float[][] matrices, float[][] biases, float[][] factors, int channel, int channels) {
    this.matrices = parts(matrices, channel, channels);
    this.biases = parts(biases, channel, channels);
    this.factors = parts(factors, channel, channels);
    double tail = Math.log(2 / TAIL - 1);
    low = quantile(-tail);
    median = quantile(0);
    high = quantile(tail);
  }

  private static float[][] parts(float[][] all, int channel, int channels) {
    return Arrays.stream(all)
        .map(
            layer -> {
              int size = layer.length / channels;
              return Arrays.copyOfRange(layer, channel * size, (channel + 1) * size);
            })
        .toArray(float[][]::new);
  }

  /// {@return the cumulative distribution before the sigmoid}
  private double logit(double value) {
    double[] now = {value};
    for (int i = 0; i < matrices.length; i++) {
      var next = new double[biases[i].length];
      for (int o = 0; o < next.length; o++) {
        next[o] = biases[i][o];
        for (int j = 0; j < now.length; j++) {
          next[o] += StrictMath.log1p(StrictMath.exp(matrices[i][o * now.length + j])) * now[j];
        }
        if (i < factors.length) {
          next[o] += StrictMath.tanh(factors[i][o]) * StrictMath.tanh(next[o]);
        }
      }
      now = next;
    }
    return now[0];
  }

  private float quantile(double logit) {
    double below = -REACH;
    double above = REACH;
    for (int i = 0; i < 60; i++) {
      double middle = (below + above) / 2;
      if (logit(middle) < logit) {
        below = middle;
      } else {
        above = middle;
      }
    }
    return (float) above;
  }

  private static double sigmoid(double logit) {
    return 1 / (1 + StrictMath.exp(-logit));
  }

  /// {@return the quantile of half the tail, the median and the quantile of the rest}
  public float[] quantiles() {
    return new float[] {low, median, high};
  }

  /// {@return the value of the first symbol, against the median}
  public int offset() {
    return -reach((double) median - low);
  }

  private static int reach(double distance) {
    return (int) Math.clamp(Math.ceil(distance), 0, MAX_REACH);
  }

  /// {@return the cumulative frequencies, in 65,536ths: 0, then rising to 65,536}
  public int[] table() {
    int symbols = reach((double) high - median) - offset() + 1;
    var pmf = new float[symbols + 1];
    double first = (double) median + offset() - 0.5;
    double before = sigmoid(logit(first));
    double tail = before;
    for (int i = 0; i < symbols; i++) {
      double after = sigmoid(logit(first + i + 1));
      pmf[i] = (float) (after - before);
      before = after;
    }
    pmf[symbols] = (float) (tail + 1 - before);
    return CdfTables.quantize(pmf);
  }
}
