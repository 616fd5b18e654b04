package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.EffectList;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import java.util.List;

/// Inverts every colour: 255 less the value.
///
/// @param probability how often it is done
public record Invert(double probability) implements PixelStep {
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

  /// Checks the probability.
  public Invert {
    StepText.requireProbability("invert", probability);
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return Chance.drawn(probability);
  }

  @Override
  public String spec() {
    return probability == 1 ? "invert" : "invert=" + StepText.number(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (Chance.happens(probability, random)) {
      add(plan);
    }
  }

  /// Adds the effect to others.
  public static void add(EffectList effects) {
    Drawn _ = effects.add(Work.WORK);
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
