package io.headrace.pipeline.geometry;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import java.util.List;

/// Mirrors left and right, or turns upside down: `flip` and `vertical_flip` for one image in two,
/// `flip=0.1` for one in ten.
///
/// @param upsideDown whether it turns upside down
/// @param probability from 0 to 1
public record Flip(boolean upsideDown, double probability) implements PixelStep {
  /// The kind of step that mirrors.
  public static final StepKind KIND =
      kind("flip", "Mirrors left and right", "RandomHorizontalFlip", false);

  /// The kind of step that turns upside down.
  public static final StepKind VERTICAL =
      kind("vertical_flip", "Turns upside down", "RandomVerticalFlip", true);

  private static final double PROBABILITY = 0.5;

  private static StepKind kind(String name, String help, String source, boolean upsideDown) {
    return new StepKind(
        name,
        name + "[=PROBABILITY]",
        Applies.PLACES,
        help + ": one image in two, or as often as PROBABILITY says.",
        "one number",
        "torchvision's " + source,
        List.of(name, name + "=0.1"),
        spec -> new Flip(upsideDown, StepText.probability(spec, PROBABILITY)));
  }

  /// Checks the probability.
  public Flip {
    StepText.requireProbability(upsideDown ? "vertical_flip" : "flip", probability);
  }

  @Override
  public StepKind kind() {
    return upsideDown ? VERTICAL : KIND;
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
    String name = kind().name();
    return probability == PROBABILITY ? name : name + "=" + StepText.number(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (random.nextDouble() < probability) {
      if (upsideDown) {
        plan.upend();
      } else {
        plan.mirror();
      }
    }
  }

  @Override
  public boolean keeps(int height, int width) {
    return probability <= 0;
  }
}
