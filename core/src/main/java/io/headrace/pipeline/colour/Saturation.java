package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.ColourRows;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import java.util.List;

/// Blends every pixel with its greyscale: factor 0 gives greyscale, 1 the image, 2 strong colours.
///
/// @param factor drawn uniformly if it is not one number
/// @param probability how often it is done
public record Saturation(Range factor, double probability) implements ColourStep {
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
          spec -> ColourStep.parse(spec, Saturation::new));

  /// What it does; its number is the factor.
  public static final Effect EFFECT = Work.WORK;

  /// Checks the numbers.
  public Saturation {
    Range _ = factor.within("saturation", "factor", 0, Double.MAX_VALUE);
    StepText.requireProbability("saturation", probability);
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
      return "saturation " + StepText.rounded(drawn.number(0));
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {
      float rest = (float) (1 - drawn.number(0));
      ColourRows.fastest().saturate(rgb, width, (float) drawn.number(0), rest);
    }
  }
}
