package io.headrace.codec.learned;

import io.headrace.codec.learned.entropy.SymbolCoder;
import io.headrace.codec.learned.layer.Dense;
import io.headrace.codec.learned.layer.FeatureMap;
import io.headrace.codec.learned.layer.Layer;
import io.headrace.codec.learned.layer.Scratch;
import io.headrace.error.DecodeException;
import java.util.Arrays;

/// The context model: scales and means of a pixel's numbers come from the pixels before it, of
/// which it sees two rows above and two to the left, and from the hyperprior. So pixels are coded
/// one after the other, which is why these codecs are slow. Source: D. Minnen, J. Ballé, G.
/// Toderici, "Joint Autoregressive and Hierarchical Priors for Learned Image Compression".
final class Context {
  /// Pixels that are seen: rows above and columns to the left, in the order of the kernel.
  private static final int[][] SEEN = {
    {-2, -2}, {-2, -1}, {-2, 0}, {-2, 1}, {-2, 2},
    {-1, -2}, {-1, -1}, {-1, 0}, {-1, 1}, {-1, 2},
    {0, -2}, {0, -1}
  };

  private static final int KERNEL = 5;
  private static final float SLOPE = 0.01f;

  private final Dense before;
  private final Dense[] mixing;
  private final Gaussian gaussian;

  /// @param weights [2 · channels, channels, 5, 5] of the convolution over the pixels before
  /// @param mixing what follows, with rectifiers between
  Context(float[] weights, float[] bias, int channels, Dense[] mixing, Gaussian gaussian) {
    var seen = new float[2 * channels * channels * SEEN.length];
    int to = 0;
    for (int out = 0; out < 2 * channels; out++) {
      for (int[] place : SEEN) {
        for (int in = 0; in < channels; in++) {
          int y = place[0] + KERNEL / 2;
          int x = place[1] + KERNEL / 2;
          seen[to++] = weights[((out * channels + in) * KERNEL + y) * KERNEL + x];
        }
      }
    }
    before = new Dense(seen, bias);
    this.mixing = mixing;
    this.gaussian = gaussian;
  }

  /// Codes a map and puts in its place what the decoder will have.
  ///
  /// @param hyper [2 · channels, height, width], what the hyperprior says
  void code(FeatureMap map, FeatureMap hyper, SymbolCoder coder, Scratch scratch)
      throws DecodeException {
    int wide = before.in();
    for (Dense layer : mixing) {
      wide = Math.max(wide, Math.max(layer.in(), layer.out()));
    }
    FeatureMap now = scratch.take(Dense.STEP, 1, wide);
    FeatureMap next = scratch.take(Dense.STEP, 1, wide);
    Arrays.fill(now.data, 0, now.size(), 0);
    Arrays.fill(next.data, 0, next.size(), 0);
    requireFit(map, hyper);
    int area = map.area();
    for (int at = 0; at < area; at++) {
      look(map, at / map.width, at % map.width, now.data);
      for (int i = 0; i < hyper.channels; i++) {
        next.data[Dense.STEP * i] = hyper.data[i * area + at];
      }
      before.apply(now.data, next.data, Dense.STEP * hyper.channels, scratch);
      float[] parameters = mix(next.data, now.data, scratch);
      for (int channel = 0; channel < map.channels; channel++) {
        int row = gaussian.row(parameters[Dense.STEP * channel]);
        float mean = parameters[Dense.STEP * (map.channels + channel)];
        int place = channel * area + at;
        map.data[place] = coder.code(gaussian.tables(), row, map.data[place] - mean) + mean;
      }
    }
    scratch.give(now);
    scratch.give(next);
  }

  private void requireFit(FeatureMap map, FeatureMap hyper) {
    int seen = map.channels * SEEN.length;
    Layer.require(before.in() == seen, "the context of numbers", before.in(), seen);
    int now = hyper.channels + before.out();
    for (Dense layer : mixing) {
      Layer.require(layer.in() == now, "a layer of the context model", layer.in(), now);
      now = layer.out();
    }
    Layer.require(now == 2 * map.channels, "scales and means", 2 * map.channels, now);
    Layer.require(hyper.area() == map.area(), "the context of pixels", map.area(), hyper.area());
  }

  private float[] mix(float[] from, float[] to, Scratch scratch) {
    float[] x = from;
    float[] y = to;
    for (int i = 0; i < mixing.length; i++) {
      mixing[i].apply(x, y, 0, scratch);
      for (int j = 0; i < mixing.length - 1 && j < mixing[i].out(); j++) {
        float value = y[Dense.STEP * j];
        y[Dense.STEP * j] = value > 0 ? value : SLOPE * value;
      }
      float[] free = x;
      x = y;
      y = free;
    }
    return x;
  }

  /// Takes the pixels before one; those outside of the map are 0.
  private static void look(FeatureMap map, int y, int x, float[] to) {
    int at = 0;
    for (int[] place : SEEN) {
      int row = y + place[0];
      int column = x + place[1];
      boolean inside = row >= 0 && column >= 0 && column < map.width;
      for (int channel = 0; channel < map.channels; channel++, at += Dense.STEP) {
        to[at] = inside ? map.data[(channel * map.height + row) * map.width + column] : 0;
      }
    }
  }
}
