package io.headrace.pipeline.geometry;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import java.util.List;

/// Turns upside down: `vertical_flip` for one image in two, `vertical_flip=0.1` for one in ten.
///
/// @param probability from 0 to 1
public record VerticalFlip(double probability) implements PixelStep {
  private static final double PROBABILITY = 0.5;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "vertical_flip",
          "vertical_flip[=PROBABILITY]",
          Applies.PLACES,
          "Turns upside down: one image in two, or as often as PROBABILITY says.",
          "one number",
          "torchvision's RandomVerticalFlip",
          List.of("vertical_flip", "vertical_flip=0.1"),
          spec -> new VerticalFlip(StepText.probability(spec, PROBABILITY)));

  /// Checks the probability.
  public VerticalFlip {
    StepText.requireProbability("vertical_flip", probability);
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
    return probability == PROBABILITY
        ? "vertical_flip"
        : "vertical_flip=" + StepText.number(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (random.nextDouble() < probability) {
      plan.upend();
    }
  }

  @Override
  public boolean keeps(int height, int width) {
    return probability <= 0;
  }
}
