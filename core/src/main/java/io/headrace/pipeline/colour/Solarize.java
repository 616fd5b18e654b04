package io.headrace.pipeline.colour;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Inverts what is bright: values of at least the threshold, 128 unless said.
///
/// @param threshold least value that is inverted, 0 to 255
/// @param probability how often it is done
public record Solarize(double threshold, double probability) implements ColourStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "solarize",
          "solarize[=THRESHOLD][:p=PROBABILITY]",
          Applies.COLOURS,
          "Inverts values of at least the threshold.",
          "whether, if p is below 1",
          "torchvision's solarize",
          List.of("solarize=128", "solarize=110:p=0.2"),
          Solarize::parse);

  /// What it does; its number is the threshold.
  public static final Effect EFFECT = Work.WORK;

  /// Checks the numbers.
  public Solarize {
    if (!(0 <= threshold && threshold <= 255)) {
      throw new ConfigException("solarize: threshold %s, expected 0 to 255".formatted(threshold));
    }
    StepText.requireProbability("solarize", probability);
  }

  private static Solarize parse(Spec spec) {
    String threshold = spec.next();
    return new Solarize(
        threshold == null ? 128 : spec.decimal("threshold", threshold), Chance.option(spec));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public Effect effect() {
    return EFFECT;
  }

  @Override
  public double number(CounterRandom random) {
    return threshold;
  }

  @Override
  public String spec() {
    return "solarize=" + StepText.number(threshold) + Chance.text(probability);
  }

  private enum Work implements RowEffect {
    WORK;

    @Override
    public String words(Drawn drawn) {
      return "solarize " + StepText.number(drawn.number(0));
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {
      int least = (int) Math.ceil(drawn.number(0));
      int n = 3 * width;
      for (int i = 0; i < n; i++) {
        rgb[i] = rgb[i] >= least ? 255 - rgb[i] : rgb[i];
      }
    }
  }
}
