package io.headrace.train.net;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.Activation;
import io.headrace.train.net.Layers.Conv;
import io.headrace.train.net.Net.Spec;
import io.headrace.train.net.Weights.Init;

/// SqueezeNet 1.1. Source: torchvision's `models/squeezenet.py`.
final class SqueezeNet {
  private static final Init.Constant ZERO = new Init.Constant(0);

  private final Spec spec;
  private final Layers layers;

  private SqueezeNet(Spec spec, Layers layers) {
    this.spec = spec;
    this.layers = layers;
  }

  static Layer make(Spec spec, Layers layers) {
    return new SqueezeNet(spec, layers).make();
  }

  private Layer make() {
    int first = spec.channels(64);
    int last = 2 * spec.channels(256);
    var pool = Layers.maxPool(3, 2, 0, true);
    return Layer.chain(
        conv(new Conv("features.0", 3, first, 3, spec.small() ? 1 : 2), 0),
        pool,
        fire(3, first, 16, 64),
        fire(4, 2 * spec.channels(64), 16, 64),
        pool,
        fire(6, 2 * spec.channels(64), 32, 128),
        fire(7, 2 * spec.channels(128), 32, 128),
        pool,
        fire(9, 2 * spec.channels(128), 48, 192),
        fire(10, 2 * spec.channels(192), 48, 192),
        fire(11, 2 * spec.channels(192), 64, 256),
        fire(12, last, 64, 256),
        Layers.dropout(0.5f),
        Layer.chain(
            layers.conv(
                new Conv("classifier.1", last, spec.classes(), 1, 1),
                0,
                new Init.Normal(0.01),
                ZERO),
            Layers.relu()),
        Layers.meanPool(),
        Layers.flatten());
  }

  private Layer fire(int number, int in, int squeezed, int expanded) {
    String name = "features." + number;
    int few = spec.channels(squeezed);
    int many = spec.channels(expanded);
    Layer squeeze = conv(new Conv(name + ".squeeze", in, few, 1, 1), 0);
    Layer one = conv(new Conv(name + ".expand1x1", few, many, 1, 1), 0);
    Layer three = conv(new Conv(name + ".expand3x3", few, many, 3, 1), 1);
    return (x, training) -> {
      NDArray hidden = squeeze.apply(x, training);
      return Layers.channels(one.apply(hidden, training), three.apply(hidden, training));
    };
  }

  private Layer conv(Conv conv, int padding) {
    Layer plain = layers.conv(conv, padding, new Init.Uniform(Math.sqrt(6.0 / conv.fanIn())), ZERO);
    return (x, training) -> Activation.relu(plain.apply(x, training));
  }
}
