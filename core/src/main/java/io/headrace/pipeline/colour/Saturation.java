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

/// Blends every pixel with its greyscale: factor 0 gives greyscale, 1 the image, 2 strong colours.
///
/// @param factor drawn uniformly if it is not one number
/// @param probability how often it is done
public record Saturation(Range factor, double probability) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "saturation",
          "saturation=FACTOR or saturation=LEAST-GREATEST[:p=PROBABILITY]",
          Applies.COLOURS,
          "Blends each pixel with its grey.",
          "whether, if p is below 1; the factor, if it is a range",
          "torchvision's adjust_saturation",
          List.of("saturation=0.5", "saturation=0.8-1.2"),
          Saturation::parse);

  /// Checks the numbers.
  public Saturation {
    Range _ = factor.within("saturation", "factor", 0, Double.MAX_VALUE);
    StepText.requireProbability("saturation", probability);
  }

  private static Saturation parse(Spec spec) {
    Range factor = Range.parse(spec, "factor", StepText.required(spec));
    return new Saturation(factor, Chance.option(spec));
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
    return "saturation=" + factor.text() + Chance.text(probability);
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
      return "saturation " + StepText.rounded(drawn.number(0));
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {
      float rest = (float) (1 - drawn.number(0));
      ColourRows.fastest().saturate(rgb, width, (float) drawn.number(0), rest);
    }
  }
}
