package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.ColourRows;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.EffectList;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import java.util.List;

/// Makes all three channels the greyscale: `grayscale`, or `grayscale=0.2` for one image in five.
///
/// `0.2989 R + 0.587 G + 0.114 B`, truncated.
///
/// @param probability how often it is done
public record Grayscale(double probability) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "grayscale",
          "grayscale[=PROBABILITY]",
          Applies.COLOURS,
          "Makes all three channels grey.",
          "whether, if the probability is below 1",
          "torchvision's RandomGrayscale; PRESTO, section 2.2",
          List.of("grayscale", "grayscale=0.2"),
          spec -> new Grayscale(StepText.probability(spec, 1)));

  /// Checks the probability.
  public Grayscale {
    StepText.requireProbability("grayscale", probability);
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
    return probability == 1 ? "grayscale" : "grayscale=" + StepText.number(probability);
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
      return "grayscale";
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {
      ColourRows.fastest().grey(rgb, width);
    }
  }
}
