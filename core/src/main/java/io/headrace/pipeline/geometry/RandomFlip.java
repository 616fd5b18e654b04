package io.headrace.pipeline.geometry;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import java.util.List;

/// Mirrors left and right: `flip` for one image in two, `flip=0.1` for one in ten.
///
/// @param probability from 0 to 1
public record RandomFlip(double probability) implements PixelStep {
  private static final double PROBABILITY = 0.5;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "flip",
          "flip[=PROBABILITY]",
          Applies.PLACES,
          "Mirrors left and right: one image in two, or as often as PROBABILITY says.",
          "one number",
          "torchvision's RandomHorizontalFlip",
          List.of("flip", "flip=0.1"),
          spec -> new RandomFlip(StepText.probability(spec, PROBABILITY)));

  /// Checks the probability.
  public RandomFlip {
    StepText.requireProbability("flip", probability);
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public Applies latest() {
    return Applies.TYPE;
  }

  @Override
  public String spec() {
    return probability == PROBABILITY ? "flip" : "flip=" + StepText.number(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (random.nextDouble() < probability) {
      plan.mirror();
    }
  }

  @Override
  public boolean keeps(int height, int width) {
    return probability <= 0;
  }
}
