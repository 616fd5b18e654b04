package io.headrace.pipeline.values;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.pipeline.step.ValueStep;
import io.headrace.spec.Spec;
import java.util.List;
import java.util.stream.Stream;

/// Subtracts a mean and divides by a deviation, by channel: `normalize=imagenet`, or
/// `normalize=0.5/0.5/0.5:0.25/0.25/0.25`, or on the scale of bytes
/// `normalize=122.7/116.5/104:59.4/58.4/58.7:range=255`.
///
/// The result is float32 unless a [Cast] follows. With range 1 it is `(x / 255 - mean) / std`,
/// as torchvision's `ToTensor` and `Normalize` compute it; with range 255 `(x - mean) / std`;
/// each operation is rounded to float32.
///
/// @param mean red, green and blue, on a scale from 0 to `range`
/// @param std red, green and blue, on the same scale, above 0
/// @param range the value of white: 1 or 255
public record Normalize(List<Double> mean, List<Double> std, int range) implements ValueStep {
  /// The usual statistics of ImageNet, as torchvision's models take them.
  public static final Normalize IMAGENET =
      new Normalize(List.of(0.485, 0.456, 0.406), List.of(0.229, 0.224, 0.225), 1);

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "normalize",
          "normalize=imagenet or normalize=R/G/B:R/G/B[:range=255]",
          Applies.VALUES,
          "Subtracts a mean and divides by a deviation, by channel; float32.",
          "",
          "torchvision's ToTensor and Normalize",
          List.of(
              "normalize=imagenet",
              "normalize=0.5/0.5/0.25:0.25/0.25/0.125",
              "normalize=122.7/116.5/104:59.4/58.4/58.7:range=255"),
          Normalize::parse);

  /// Checks counts and scale.
  public Normalize {
    mean = List.copyOf(mean);
    std = List.copyOf(std);
    if (mean.size() != 3 || std.size() != 3) {
      throw new ConfigException(
          "normalize: %d means and %d deviations, expected 3 of each"
              .formatted(mean.size(), std.size()));
    }
    if (range != 1 && range != 255) {
      throw new ConfigException("normalize: range %d, expected 1 or 255".formatted(range));
    }
    for (int c = 0; c < 3; c++) {
      double m = mean.get(c);
      double s = std.get(c);
      if (!(0 <= m && m <= range)) {
        throw new ConfigException(
            "normalize: mean %s is not in 0 to %d%s"
                .formatted(m, range, range == 1 && m <= 255 ? "; say range=255?" : ""));
      }
      if (!(0 < s && s <= range)) {
        throw new ConfigException(
            "normalize: deviation %s is not above 0 and at most %d".formatted(s, range));
      }
    }
  }

  private static Normalize parse(Spec spec) {
    int range = spec.optionNumber("range", 1);
    String mean = StepText.required(spec);
    if (mean.equals("imagenet") && spec.isEmpty() && range == 1) {
      return IMAGENET;
    }
    String std = spec.next();
    if (std == null) {
      throw spec.bad("expected imagenet, or three means : three deviations [: range=255]");
    }
    return new Normalize(decimals(spec, mean), decimals(spec, std), range);
  }

  private static List<Double> decimals(Spec spec, String value) {
    return Stream.of(value.split("/", -1)).map(part -> spec.decimal("value", part)).toList();
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return equals(IMAGENET)
        ? "normalize=imagenet"
        : "normalize=" + triple(mean) + ":" + triple(std) + (range == 1 ? "" : ":range=" + range);
  }

  private static String triple(List<Double> values) {
    return StepText.number(values.get(0))
        + "/"
        + StepText.number(values.get(1))
        + "/"
        + StepText.number(values.get(2));
  }

  @Override
  public float apply(int channel, float value) {
    float m = mean.get(channel).floatValue();
    float s = std.get(channel).floatValue();
    return ((range == 1 ? value / 255f : value) - m) / s;
  }
}
