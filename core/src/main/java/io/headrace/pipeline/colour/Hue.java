package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.ColourRows;
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

/// Turns the hue: `hue=0.1` by a tenth of the colour circle, `hue=-0.1..0.1` by a share drawn for
/// each image. By way of HSV in float32.
///
/// @param factor drawn uniformly if it is not one number
/// @param probability how often it is done
public record Hue(Range factor, double probability) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "hue",
          "hue=FACTOR or hue=LEAST..GREATEST[:p=PROBABILITY]",
          Applies.COLOURS,
          "Turns the hue by a share of the circle, -0.5 to 0.5.",
          "whether, if p is below 1; the factor, if it is a range",
          "torchvision's adjust_hue",
          List.of("hue=0.1", "hue=-0.1..0.1"),
          Hue::parse);

  /// Checks the numbers.
  public Hue {
    Range _ = factor.within("hue", "factor", -0.5, 0.5);
    StepText.requireProbability("hue", probability);
  }

  private static Hue parse(Spec spec) {
    Range factor = Range.parse(spec, "factor", StepText.required(spec));
    return new Hue(factor, Chance.option(spec));
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
    return "hue=" + factor.text() + Chance.text(probability);
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
      return "hue " + StepText.rounded(drawn.number(0));
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {
      ColourRows.fastest().turn(rgb, width, (float) drawn.number(0), drawn.spare(3 * width));
    }
  }
}
