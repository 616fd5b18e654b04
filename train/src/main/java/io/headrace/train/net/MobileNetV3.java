package io.headrace.train.net;

import ai.djl.ndarray.NDArray;
import ai.djl.nn.Activation;
import io.headrace.train.net.Layers.Conv;
import io.headrace.train.net.Net.Spec;
import io.headrace.train.net.Weights.Init;
import java.util.ArrayList;
import java.util.List;

/// MobileNetV3, the small one. Source: torchvision's `models/mobilenetv3.py`.
final class MobileNetV3 {
  private static final float EPSILON = 1e-3f;
  private static final float MOMENTUM = 0.01f;

  /// One row of the paper's table 2.
  ///
  /// @param expanded channels within the block
  /// @param squeezes whether channels are weighed by their means
  /// @param swish whether the activation is hard swish, not ReLU
  private record Row(
      int in, int kernel, int expanded, int out, boolean squeezes, boolean swish, int stride) {}

  private static final List<Row> SMALL =
      List.of(
          new Row(16, 3, 16, 16, true, false, 2),
          new Row(16, 3, 72, 24, false, false, 2),
          new Row(24, 3, 88, 24, false, false, 1),
          new Row(24, 5, 96, 40, true, true, 2),
          new Row(40, 5, 240, 40, true, true, 1),
          new Row(40, 5, 240, 40, true, true, 1),
          new Row(40, 5, 120, 48, true, true, 1),
          new Row(48, 5, 144, 48, true, true, 1),
          new Row(48, 5, 288, 96, true, true, 2),
          new Row(96, 5, 576, 96, true, true, 1),
          new Row(96, 5, 576, 96, true, true, 1));

  private final Layers layers;

  private MobileNetV3(Layers layers) {
    this.layers = layers;
  }

  static Layer makeSmall(Spec spec, Layers layers) {
    return new MobileNetV3(layers).make(spec);
  }

  private Layer make(Spec spec) {
    var chain = new ArrayList<Layer>();
    int first = spec.channelsBy8(16);
    chain.add(unit("features.0", new Conv("features.0.0", 3, first, 3, spec.small() ? 1 : 2)));
    chain.add(layers.hardSwish());
    int number = 1;
    for (Row row : SMALL) {
      int stride = spec.small() && number == 1 ? 1 : row.stride;
      chain.add(block(spec, "features." + number++, row, stride));
    }
    int last = spec.channelsBy8(96);
    int wide = 6 * last;
    int hidden = spec.channelsBy8(1024);
    chain.add(unit("features.12", new Conv("features.12.0", last, wide, 1, 1)));
    chain.add(layers.hardSwish());
    chain.add(Layers.meanPool());
    chain.add(Layers.flatten());
    var init = new Init.Normal(0.01);
    var zero = new Init.Constant(0);
    chain.add(layers.linear("classifier.0", wide, hidden, init, zero));
    chain.add(layers.hardSwish());
    chain.add(Layers.dropout(0.2f));
    chain.add(layers.linear("classifier.3", hidden, spec.classes(), init, zero));
    return Layer.chain(chain.toArray(Layer[]::new));
  }

  private Layer block(Spec spec, String name, Row row, int stride) {
    int in = spec.channelsBy8(row.in);
    int expanded = spec.channelsBy8(row.expanded);
    int out = spec.channelsBy8(row.out);
    Layer act = row.swish ? layers.hardSwish() : Layers.relu();
    var chain = new ArrayList<Layer>();
    int part = 0;
    if (expanded != in) {
      String unit = name + ".block." + part++;
      chain.add(unit(unit, new Conv(unit + ".0", in, expanded, 1, 1)));
      chain.add(act);
    }
    String depth = name + ".block." + part++;
    chain.add(
        unit(depth, new Conv(depth + ".0", expanded, expanded, row.kernel, stride, expanded)));
    chain.add(act);
    if (row.squeezes) {
      chain.add(squeeze(name + ".block." + part++, expanded));
    }
    String project = name + ".block." + part;
    chain.add(unit(project, new Conv(project + ".0", expanded, out, 1, 1)));
    Layer main = Layer.chain(chain.toArray(Layer[]::new));
    return stride == 1 && in == out ? (x, training) -> x.add(main.apply(x, training)) : main;
  }

  /// A convolution and its batch norm, `name.0` and `name.1`.
  private Layer unit(String name, Conv conv) {
    return Layer.chain(
        layers.conv(conv, new Init.Normal(Math.sqrt(2.0 / conv.fanOut()))),
        layers.norm(name + ".1", conv.out(), EPSILON, MOMENTUM));
  }

  private Layer squeeze(String name, int channels) {
    int few = Spec.by8(channels / 4.0);
    Layer fc1 = pointwise(new Conv(name + ".fc1", channels, few, 1, 1));
    Layer fc2 = pointwise(new Conv(name + ".fc2", few, channels, 1, 1));
    Layer mean = Layers.meanPool();
    return (x, training) -> {
      NDArray hidden = Activation.relu(fc1.apply(mean.apply(x, training), training));
      return x.mul(layers.hardSigmoid(fc2.apply(hidden, training)));
    };
  }

  private Layer pointwise(Conv conv) {
    return layers.conv(
        conv, 0, new Init.Normal(Math.sqrt(2.0 / conv.fanOut())), new Init.Constant(0));
  }
}
