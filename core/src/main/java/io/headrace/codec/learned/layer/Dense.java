package io.headrace.codec.learned.layer;

import java.util.Arrays;

/// A layer of one pixel: each output is a sum over all inputs.
public final class Dense {
  /// Numbers of an input or output that lie next to each other are this far apart.
  public static final int STEP = Product.ROWS;

  private final int in;
  private final int out;

  /// [out / 16, in, 16], of outputs that a multiple of 16 lacks 0.
  private final float[] weights;

  private final float[] bias;

  /// @param weights [out, in]
  public Dense(float[] weights, float[] bias) {
    out = bias.length;
    in = weights.length / out;
    int blocks = Math.ceilDiv(out, Product.COLUMNS);
    this.weights = new float[blocks * Product.COLUMNS * in];
    this.bias = bias;
    for (int o = 0; o < out; o++) {
      int at = o / Product.COLUMNS * Product.COLUMNS * in + o % Product.COLUMNS;
      for (int i = 0; i < in; i++) {
        this.weights[at + Product.COLUMNS * i] = weights[o * in + i];
      }
    }
  }

  /// {@return numbers of an input}
  public int in() {
    return in;
  }

  /// {@return numbers of an output}
  public int out() {
    return out;
  }

  /// Applies the layer.
  ///
  /// @param x the input, one number every [#STEP]; the others are 0
  /// @param y takes the output likewise, from `to` on
  public void apply(float[] x, float[] y, int to, Scratch scratch) {
    float[] sums = scratch.sums;
    for (int o = 0; o < out; o += Product.COLUMNS) {
      int some = Math.min(Product.COLUMNS, out - o);
      Arrays.fill(sums, 0);
      System.arraycopy(bias, o, sums, 0, some);
      scratch.product().add(x, 0, weights, o * in, in, sums);
      for (int j = 0; j < some; j++) {
        y[to + STEP * (o + j)] = sums[j];
      }
    }
  }
}
