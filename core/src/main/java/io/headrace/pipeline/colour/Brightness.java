package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.EffectList;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Multiplies every colour: `brightness=1.2`, or `brightness=0.8-1.2` for a factor drawn for each
/// image. Results are cut to 0 to 255 and truncated.
///
/// @param factor drawn uniformly if it is not one number
/// @param probability how often it is done
public record Brightness(Range factor, double probability) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "brightness",
          "brightness=FACTOR or brightness=LEAST-GREATEST[:p=PROBABILITY]",
          Applies.COLOURS,
          "Multiplies colours by a factor.",
          "whether, if p is below 1; the factor, if it is a range",
          "torchvision's adjust_brightness",
          List.of("brightness=1.2", "brightness=0.8-1.2", "brightness=0-2:p=0.8"),
          Brightness::parse);

  /// Checks the numbers.
  public Brightness {
    Range _ = factor.within("brightness", "factor", 0, Double.MAX_VALUE);
    StepText.requireProbability("brightness", probability);
  }

  private static Brightness parse(Spec spec) {
    Range factor = Range.parse(spec, "factor", StepText.required(spec));
    return new Brightness(factor, Chance.option(spec));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return !factor.fixed() || Chance.drawn(probability);
  }

  @Override
  public String spec() {
    return "brightness=" + factor.text() + Chance.text(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (Chance.happens(probability, random)) {
      add(plan, factor.draw(random));
    }
  }

  /// Adds the effect to others.
  public static void add(EffectList effects, double factor) {
    Drawn _ = effects.add(Work.WORK).set(0, factor);
  }

  private enum Work implements RowEffect {
    WORK;

    @Override
    public String words(Drawn drawn) {
      return "brightness " + StepText.rounded(drawn.number(0));
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {
      float factor = (float) drawn.number(0);
      int n = 3 * width;
      for (int i = 0; i < n; i++) {
        rgb[i] = (int) Math.min(255f, rgb[i] * factor);
      }
    }
  }
}
