package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import java.util.List;

/// Inverts every colour: 255 less the value.
///
/// @param probability how often it is done
public record Invert(double probability) implements ColourStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "invert",
          "invert[=PROBABILITY]",
          Applies.COLOURS,
          "Inverts colours.",
          "whether, if the probability is below 1",
          "torchvision's RandomInvert",
          List.of("invert", "invert=0.2"),
          spec -> new Invert(StepText.probability(spec, 1)));

  /// What it does.
  public static final Effect EFFECT = Work.WORK;

  /// Checks the probability.
  public Invert {
    StepText.requireProbability("invert", probability);
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public Effect effect() {
    return EFFECT;
  }

  private enum Work implements RowEffect {
    WORK;

    @Override
    public String words(Drawn drawn) {
      return "invert";
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {
      int n = 3 * width;
      for (int i = 0; i < n; i++) {
        rgb[i] = 255 - rgb[i];
      }
    }
  }
}
