package io.headrace.train.net;

import ai.djl.ndarray.NDArray;
import io.headrace.error.ConfigException;
import java.util.Arrays;
import java.util.stream.Collectors;

/// A network for classifying pictures, with its weights.
///
/// Not thread-safe.
public final class Net implements AutoCloseable {
  /// The architectures, by the names that users type.
  public enum Kind {
    /// "One weird trick for parallelizing convolutional neural networks", as torchvision has it.
    ALEXNET("alexnet"),
    /// "Deep Residual Learning for Image Recognition", 18 layers.
    RESNET18("resnet18"),
    /// The same with 50 layers; strides in the middle convolution.
    RESNET50("resnet50"),
    /// "Searching for MobileNetV3", the small one.
    MOBILENET_V3_SMALL("mobilenet_v3_small"),
    /// "ShuffleNet V2: Practical Guidelines for Efficient CNN Architecture Design", width 1.
    SHUFFLENET_V2("shufflenet_v2_x1_0"),
    /// "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters", version 1.1.
    SQUEEZENET("squeezenet1_1");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /// {@return the name that users type, which is torchvision's}
    public String label() {
      return label;
    }

    /// {@return the architecture of that name}
    ///
    /// @throws ConfigException if there is none
    public static Kind of(String label) {
      for (Kind kind : values()) {
        if (kind.label.equals(label)) {
          return kind;
        }
      }
      throw new ConfigException(
          "unknown model '%s': expected one of %s"
              .formatted(
                  label,
                  Arrays.stream(values()).map(Kind::label).collect(Collectors.joining(", "))));
    }
  }

  /// What a network is like.
  ///
  /// @param kind the architecture
  /// @param classes outputs
  /// @param width factor of all layers' channels, above 0; 1 is torchvision's
  /// @param small whether the first layers keep four times as many pixels, for pictures of about
  ///     64 × 64: the stem's first stride is halved and its pooling left out
  public record Spec(Kind kind, int classes, double width, boolean small) {
    /// Checks the numbers.
    public Spec {
      if (classes < 1 || !(width > 0 && width <= 8)) {
        throw new ConfigException(
            "model %s of %d classes and width %s: expected at least 1, and above 0 to 8"
                .formatted(kind.label(), classes, width));
      }
    }

    /// {@return a layer's channels under the width, at least 1}
    int channels(int usual) {
      return Math.max(1, (int) Math.round(usual * width));
    }

    /// {@return channels under a width, rounded to a multiple of 8 that is not more than a tenth
    ///     smaller}
    int channelsBy8(double usual) {
      return by8(usual * width);
    }

    static int by8(double exact) {
      int rounded = Math.max(8, (int) (exact + 4) / 8 * 8);
      return rounded < 0.9 * exact ? rounded + 8 : rounded;
    }
  }

  private final Spec spec;
  private final Weights weights;
  private final Layer root;

  /// A network with weights drawn from a seed, as torchvision draws them.
  public Net(Spec spec, long seed) {
    this.spec = spec;
    weights = new Weights(seed);
    var layers = new Layers(weights);
    root =
        switch (spec.kind()) {
          case ALEXNET -> AlexNet.make(spec, layers);
          case RESNET18 -> ResNet.make18(spec, layers);
          case RESNET50 -> ResNet.make50(spec, layers);
          case MOBILENET_V3_SMALL -> MobileNetV3.makeSmall(spec, layers);
          case SHUFFLENET_V2 -> ShuffleNetV2.make(spec, layers);
          case SQUEEZENET -> SqueezeNet.make(spec, layers);
        };
  }

  /// {@return what it is like}
  public Spec spec() {
    return spec;
  }

  /// {@return its weights}
  public Weights weights() {
    return weights;
  }

  /// {@return a score for each class: [batch, classes], which belongs to the manager of the
  ///     pictures and has their type}
  ///
  /// @param pictures float32 or float16 [batch, 3, height, width], normalised; convolutions and
  ///     linear layers compute in their type, batch norms in float32
  /// @param training whether batch norms use and note the batch's statistics and dropout drops
  public NDArray forward(NDArray pictures, boolean training) {
    return root.apply(pictures, training);
  }

  /// Frees the weights.
  @Override
  public void close() {
    weights.close();
  }
}
