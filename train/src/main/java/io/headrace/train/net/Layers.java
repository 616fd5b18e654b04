package io.headrace.train.net;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.norm.Dropout;
import ai.djl.nn.pooling.Pool;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.headrace.train.net.Weights.Init;
import org.jspecify.annotations.Nullable;

/// Makes layers whose weights have torchvision's names. Layers are square and symmetric.
final class Layers {
  private final Weights weights;

  // Backward needs factors and bounds again. The library keeps a number's memory only as long as
  // its array is reachable, and drops that at once where a Java number is passed.
  private final NDArray zero;
  private final NDArray six;

  Layers(Weights weights) {
    this.weights = weights;
    zero = weights.manager().create(0f);
    six = weights.manager().create(6f);
  }

  /// A convolution of `kernel` × `kernel` pixels.
  ///
  /// @param name of the layer; its tensors are `name.weight` and `name.bias`
  record Conv(String name, int in, int out, int kernel, int stride, int groups) {
    Conv(String name, int in, int out, int kernel, int stride) {
      this(name, in, out, kernel, stride, 1);
    }

    int padding() {
      return kernel / 2;
    }

    long[] shape() {
      return new long[] {out, in / groups, kernel, kernel};
    }

    int fanIn() {
      return in / groups * kernel * kernel;
    }

    int fanOut() {
      return out * kernel * kernel;
    }
  }

  /// A convolution without bias, as those before a batch norm are.
  Layer conv(Conv c, Init init) {
    return convolve(c, c.padding(), init, null);
  }

  /// A convolution with a bias.
  Layer conv(Conv c, int padding, Init init, Init bias) {
    return convolve(c, padding, init, weights.parameter(c.name + ".bias", bias, c.out));
  }

  private Layer convolve(Conv c, int padding, Init init, @Nullable NDArray bias) {
    NDArray weight = weights.parameter(c.name + ".weight", init, c.shape());
    var stride = new Shape(c.stride, c.stride);
    var pad = new Shape(padding, padding);
    var dilation = new Shape(1, 1);
    return (x, training) ->
        Conv2d.conv2d(
                x,
                weights.as(weight, x),
                bias == null ? null : weights.as(bias, x),
                stride,
                pad,
                dilation,
                c.groups)
            .singletonOrThrow();
  }

  /// A batch norm of torchvision's usual epsilon and momentum.
  Layer norm(String name, int channels) {
    return norm(name, channels, 1e-5f, 0.1f);
  }

  /// A batch norm.
  ///
  /// @param momentum share of the batch's statistics that running ones take, as PyTorch has it
  Layer norm(String name, int channels, float epsilon, float momentum) {
    NDArray gamma = weights.parameter(name + ".weight", new Init.Constant(1), channels);
    NDArray beta = weights.parameter(name + ".bias", new Init.Constant(0), channels);
    NDArray mean = weights.buffer(name + ".running_mean", 0, channels);
    NDArray variance = weights.buffer(name + ".running_var", 1, channels);
    return (x, training) ->
        BatchNorm.batchNorm(x, mean, variance, gamma, beta, 1, 1 - momentum, epsilon, training)
            .singletonOrThrow();
  }

  /// A fully connected layer with a bias.
  Layer linear(String name, int in, int out, Init init, Init biasInit) {
    NDArray weight = weights.parameter(name + ".weight", init, out, in);
    NDArray bias = weights.parameter(name + ".bias", biasInit, out);
    return (x, training) ->
        Linear.linear(x, weights.as(weight, x), weights.as(bias, x)).singletonOrThrow();
  }

  /// PyTorch's own start of convolutions and linear layers, weights and biases alike.
  static Init usual(int fanIn) {
    return new Init.Uniform(1 / Math.sqrt(fanIn));
  }

  static Layer relu() {
    return (x, training) -> Activation.relu(x);
  }

  /// `x · clip(x + 3, 0, 6) / 6`.
  Layer hardSwish() {
    return (x, training) -> x.mul(clipped(x)).div(six);
  }

  /// `clip(x + 3, 0, 6) / 6`.
  NDArray hardSigmoid(NDArray x) {
    return clipped(x).div(six);
  }

  private NDArray clipped(NDArray x) {
    return x.add(3).maximum(zero).minimum(six);
  }

  static Layer maxPool(int kernel, int stride, int padding, boolean ceiling) {
    var size = new Shape(kernel, kernel);
    var step = new Shape(stride, stride);
    var pad = new Shape(padding, padding);
    return (x, training) -> Pool.maxPool2d(x, size, step, pad, ceiling);
  }

  /// The mean over all pixels: [batch, channels, 1, 1].
  static Layer meanPool() {
    return adaptiveMeanPool(1);
  }

  /// Means over `edge` × `edge` windows of about equal size.
  static Layer adaptiveMeanPool(int edge) {
    var size = new Shape(edge, edge);
    return (x, training) -> JniUtils.adaptiveAvgPool((PtNDArray) x, size);
  }

  static Layer flatten() {
    return (x, training) -> x.reshape(x.getShape().get(0), -1);
  }

  static Layer dropout(float share) {
    return (x, training) -> training ? Dropout.dropout(x, share, true).singletonOrThrow() : x;
  }

  static NDArray channels(NDArray... parts) {
    return NDArrays.concat(new NDList(parts), 1);
  }
}
