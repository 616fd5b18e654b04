package io.headrace.train.net;

import io.headrace.train.net.Layers.Conv;
import io.headrace.train.net.Net.Spec;

/// Five convolutions and three linear layers. Source: torchvision's `models/alexnet.py`.
final class AlexNet {
  private static final int POOLED = 6;
  private static final int HIDDEN = 4096;

  private AlexNet() {}

  static Layer make(Spec spec, Layers layers) {
    int c1 = spec.channels(64);
    int c2 = spec.channels(192);
    int c3 = spec.channels(384);
    int c4 = spec.channels(256);
    int hidden = spec.channels(HIDDEN);
    int pooled = spec.small() ? POOLED / 2 : POOLED;
    int flat = c4 * pooled * pooled;
    var pool = Layers.maxPool(3, 2, 0, false);
    var first =
        spec.small()
            ? conv(layers, new Conv("features.0", 3, c1, 5, 2), 2)
            : conv(layers, new Conv("features.0", 3, c1, 11, 4), 2);
    return Layer.chain(
        first,
        pool,
        conv(layers, new Conv("features.3", c1, c2, 5, 1), 2),
        pool,
        conv(layers, new Conv("features.6", c2, c3, 3, 1), 1),
        conv(layers, new Conv("features.8", c3, c4, 3, 1), 1),
        conv(layers, new Conv("features.10", c4, c4, 3, 1), 1),
        pool,
        Layers.adaptiveMeanPool(pooled),
        Layers.flatten(),
        Layers.dropout(0.5f),
        linear(layers, "classifier.1", flat, hidden),
        Layers.relu(),
        Layers.dropout(0.5f),
        linear(layers, "classifier.4", hidden, hidden),
        Layers.relu(),
        linear(layers, "classifier.6", hidden, spec.classes()));
  }

  private static Layer conv(Layers layers, Conv conv, int padding) {
    var init = Layers.usual(conv.fanIn());
    return Layer.chain(layers.conv(conv, padding, init, init), Layers.relu());
  }

  private static Layer linear(Layers layers, String name, int in, int out) {
    return layers.linear(name, in, out, Layers.usual(in), Layers.usual(in));
  }
}
