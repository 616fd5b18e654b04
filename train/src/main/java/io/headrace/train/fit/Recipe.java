package io.headrace.train.fit;

import io.headrace.error.ConfigException;
import io.headrace.train.net.Net.Kind;

/// How weights are changed: stochastic gradient descent with momentum under a schedule.
///
/// The usual values are those of "The Art of Losing to Win", which took them from NVIDIA's
/// DeepLearningExamples.
///
/// @param rate learning rate after warm-up, for the batch size that is used
/// @param momentum share of the step before, from 0, below 1
/// @param decay weight decay, added to gradients as `decay · weight`
/// @param smoothing of labels, from 0, below 1
/// @param warmUp epochs in which the rate rises to `rate` in equal steps
/// @param schedule how the rate falls after that
public record Recipe(
    double rate, double momentum, double decay, double smoothing, int warmUp, Schedule schedule) {
  /// Checks ranges.
  public Recipe {
    require(rate > 0 && rate < 1e6, "learning rate", rate, "above 0");
    require(momentum >= 0 && momentum < 1, "momentum", momentum, "0 to below 1");
    require(decay >= 0 && decay < 1, "weight decay", decay, "0 to below 1");
    require(smoothing >= 0 && smoothing < 1, "label smoothing", smoothing, "0 to below 1");
    require(warmUp >= 0, "warm-up epochs", warmUp, "at least 0");
  }

  private static void require(boolean holds, String what, double found, String expected) {
    if (!holds) {
      throw new ConfigException("%s %s: expected %s".formatted(what, found, expected));
    }
  }

  /// How the learning rate falls.
  public enum Schedule {
    /// Half a cosine, from the full rate to 0 at the end.
    COSINE("cosine"),
    /// A tenth every 30 of 90 epochs: "Progressive Compressed Records".
    STEPS("steps"),
    /// Not at all.
    CONSTANT("constant");

    private final String label;

    Schedule(String label) {
      this.label = label;
    }

    /// {@return the schedule of that name}
    ///
    /// @throws ConfigException if there is none
    public static Schedule of(String label) {
      for (Schedule schedule : values()) {
        if (schedule.label.equals(label)) {
          return schedule;
        }
      }
      throw new ConfigException(
          "schedule '%s': expected cosine, steps or constant".formatted(label));
    }

    @Override
    public String toString() {
      return label;
    }
  }

  /// {@return samples in a batch for which [#usual] states its learning rate}
  public static int usualBatch(Kind kind) {
    return kind == Kind.RESNET50 ? 256 : 512;
  }

  /// {@return the papers' values for a model, the learning rate in proportion to the batch}
  ///
  /// The papers have them for ResNet-50, ResNet-18 and AlexNet. MobileNetV3 and ShuffleNetV2 take
  /// those of ResNet-18, and SqueezeNet, which has no batch norms either, those of AlexNet.
  public static Recipe usual(Kind kind, int batch) {
    double rate =
        switch (kind) {
          case RESNET50 -> 0.256;
          case RESNET18, MOBILENET_V3_SMALL, SHUFFLENET_V2 -> 0.512;
          case ALEXNET, SQUEEZENET -> 0.0512;
        };
    return new Recipe(rate * batch / usualBatch(kind), 0.875, 6.1035e-5, 0.1, 0, Schedule.COSINE);
  }

  /// {@return the learning rate of an epoch}
  ///
  /// @param epoch from 0
  /// @param epochs in all
  public double rateOf(long epoch, long epochs) {
    if (epoch < warmUp) {
      return rate * (epoch + 1) / warmUp;
    }
    return switch (schedule) {
      case COSINE -> {
        double done = (double) (epoch - warmUp) / Math.max(1, epochs - warmUp);
        yield rate * 0.5 * (1 + Math.cos(Math.PI * done));
      }
      case STEPS -> rate * Math.pow(0.1, Math.floor(3.0 * epoch / epochs));
      case CONSTANT -> rate;
    };
  }
}
