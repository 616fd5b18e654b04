package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.ColourRows;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import java.util.List;

/// Makes all three channels the greyscale: `grayscale`, or `grayscale=0.2` for one image in five.
///
/// `0.2989 R + 0.587 G + 0.114 B`, truncated.
///
/// @param probability how often it is done
public record Grayscale(double probability) implements ColourStep {
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

  /// What it does.
  public static final Effect EFFECT = Work.WORK;

  /// Checks the probability.
  public Grayscale {
    StepText.requireProbability("grayscale", probability);
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
      return "grayscale";
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {
      ColourRows.fastest().grey(rgb, width);
    }
  }
}
