package io.headrace.train.net;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import io.headrace.train.net.Layers.Conv;
import io.headrace.train.net.Net.Spec;
import java.util.ArrayList;

/// ShuffleNetV2. Source: torchvision's `models/shufflenetv2.py`.
final class ShuffleNetV2 {
  private static final int[] REPEATS = {4, 8, 4};
  private static final int[] CHANNELS = {116, 232, 464};

  private final Layers layers;

  private ShuffleNetV2(Layers layers) {
    this.layers = layers;
  }

  static Layer make(Spec spec, Layers layers) {
    return new ShuffleNetV2(layers).make(spec);
  }

  private Layer make(Spec spec) {
    var chain = new ArrayList<Layer>();
    int in = spec.channels(24);
    chain.add(conv("conv1.0", 3, in, 3, 2, 1));
    chain.add(layers.norm("conv1.1", in));
    chain.add(Layers.relu());
    if (!spec.small()) {
      chain.add(Layers.maxPool(3, 2, 1, false));
    }
    for (int stage = 0; stage < REPEATS.length; stage++) {
      int out = 2 * Math.max(1, spec.channels(CHANNELS[stage]) / 2);
      for (int unit = 0; unit < REPEATS[stage]; unit++) {
        chain.add(unit("stage%d.%d".formatted(stage + 2, unit), in, out, unit == 0));
        in = out;
      }
    }
    int last = spec.channels(1024);
    chain.add(conv("conv5.0", in, last, 1, 1, 1));
    chain.add(layers.norm("conv5.1", last));
    chain.add(Layers.relu());
    chain.add(Layers.meanPool());
    chain.add(Layers.flatten());
    chain.add(layers.linear("fc", last, spec.classes(), Layers.usual(last), Layers.usual(last)));
    return Layer.chain(chain.toArray(Layer[]::new));
  }

  private Layer unit(String name, int in, int out, boolean halves) {
    int half = out / 2;
    String two = name + ".branch2.";
    Layer branch2 =
        Layer.chain(
            conv(two + "0", halves ? in : half, half, 1, 1, 1),
            layers.norm(two + "1", half),
            Layers.relu(),
            conv(two + "3", half, half, 3, halves ? 2 : 1, half),
            layers.norm(two + "4", half),
            conv(two + "5", half, half, 1, 1, 1),
            layers.norm(two + "6", half),
            Layers.relu());
    if (!halves) {
      return (x, training) -> {
        NDList parts = x.split(2, 1);
        return shuffle(Layers.channels(parts.get(0), branch2.apply(parts.get(1), training)));
      };
    }
    String one = name + ".branch1.";
    Layer branch1 =
        Layer.chain(
            conv(one + "0", in, in, 3, 2, in),
            layers.norm(one + "1", in),
            conv(one + "2", in, half, 1, 1, 1),
            layers.norm(one + "3", half),
            Layers.relu());
    return (x, training) ->
        shuffle(Layers.channels(branch1.apply(x, training), branch2.apply(x, training)));
  }

  /// Interleaves the two halves of the channels.
  private static NDArray shuffle(NDArray x) {
    Shape shape = x.getShape();
    return x.reshape(shape.get(0), 2, shape.get(1) / 2, shape.get(2), shape.get(3))
        .swapAxes(1, 2)
        .reshape(shape);
  }

  private Layer conv(String name, int in, int out, int kernel, int stride, int groups) {
    var conv = new Conv(name, in, out, kernel, stride, groups);
    return layers.conv(conv, Layers.usual(conv.fanIn()));
  }
}
