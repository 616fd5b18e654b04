package io.headrace.train.net;

import ai.djl.ndarray.NDArray;

/// One function of a network, its weights included.
@FunctionalInterface
interface Layer {
  /// {@return the layer's output, which belongs to the manager of `x`}
  ///
  /// @param x float32, usually [batch, channels, height, width]
  /// @param training whether batch norms use the batch's own statistics and dropout drops
  NDArray apply(NDArray x, boolean training);

  /// {@return the layers one after the other}
  static Layer chain(Layer... layers) {
    return (x, training) -> {
      NDArray y = x;
      for (Layer layer : layers) {
        y = layer.apply(y, training);
      }
      return y;
    };
  }
}
