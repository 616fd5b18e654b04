package io.headrace.train.net;

import ai.djl.nn.Activation;
import io.headrace.train.net.Layers.Conv;
import io.headrace.train.net.Net.Spec;
import io.headrace.train.net.Weights.Init;

/// Residual networks. Source: torchvision's `models/resnet.py`.
final class ResNet {
  private static final int EXPANSION = 4;

  private ResNet() {}

  static Layer make18(Spec spec, Layers layers) {
    return make(spec, layers, false, 2, 2, 2, 2);
  }

  static Layer make50(Spec spec, Layers layers) {
    return make(spec, layers, true, 3, 4, 6, 3);
  }

  private static Layer make(Spec spec, Layers layers, boolean bottleneck, int... blocks) {
    int in = spec.channels(64);
    var stem =
        spec.small()
            ? Layer.chain(conv(layers, "conv1", 3, in, 3, 2), layers.norm("bn1", in), Layers.relu())
            : Layer.chain(
                conv(layers, "conv1", 3, in, 7, 2),
                layers.norm("bn1", in),
                Layers.relu(),
                Layers.maxPool(3, 2, 1, false));
    var body = new Layer[blocks.length];
    for (int stage = 0; stage < blocks.length; stage++) {
      int channels = spec.channels(64 << stage);
      int out = bottleneck ? EXPANSION * channels : channels;
      var row = new Layer[blocks[stage]];
      for (int block = 0; block < row.length; block++) {
        String name = "layer%d.%d".formatted(stage + 1, block);
        int stride = block == 0 && stage > 0 ? 2 : 1;
        row[block] = block(layers, name, in, channels, out, stride, bottleneck);
        in = out;
      }
      body[stage] = Layer.chain(row);
    }
    return Layer.chain(
        stem,
        Layer.chain(body),
        Layers.meanPool(),
        Layers.flatten(),
        layers.linear("fc", in, spec.classes(), Layers.usual(in), Layers.usual(in)));
  }

  private static Layer block(
      Layers layers, String name, int in, int channels, int out, int stride, boolean bottleneck) {
    Layer main =
        bottleneck
            ? Layer.chain(
                conv(layers, name + ".conv1", in, channels, 1, 1),
                layers.norm(name + ".bn1", channels),
                Layers.relu(),
                conv(layers, name + ".conv2", channels, channels, 3, stride),
                layers.norm(name + ".bn2", channels),
                Layers.relu(),
                conv(layers, name + ".conv3", channels, out, 1, 1),
                layers.norm(name + ".bn3", out))
            : Layer.chain(
                conv(layers, name + ".conv1", in, channels, 3, stride),
                layers.norm(name + ".bn1", channels),
                Layers.relu(),
                conv(layers, name + ".conv2", channels, out, 3, 1),
                layers.norm(name + ".bn2", out));
    Layer aside =
        stride == 1 && in == out
            ? (x, training) -> x
            : Layer.chain(
                conv(layers, name + ".downsample.0", in, out, 1, stride),
                layers.norm(name + ".downsample.1", out));
    return (x, training) -> Activation.relu(main.apply(x, training).add(aside.apply(x, training)));
  }

  private static Layer conv(Layers layers, String name, int in, int out, int kernel, int stride) {
    var conv = new Conv(name, in, out, kernel, stride);
    return layers.conv(conv, new Init.Normal(Math.sqrt(2.0 / conv.fanOut())));
  }
}
