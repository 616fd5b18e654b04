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

/// Turns the hue: `hue=0.1` by a tenth of the colour circle, `hue=-0.1..0.1` by a share drawn for
/// each image. By way of HSV in float32.
///
/// @param factor drawn uniformly if it is not one number
/// @param probability how often it is done
public record Hue(Range factor, double probability) implements ColourStep {
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
          spec -> ColourStep.parse(spec, Hue::new));

  /// What it does; its number is the factor.
  public static final Effect EFFECT = Work.WORK;

  /// Checks the numbers.
  public Hue {
    Range _ = factor.within("hue", "factor", -0.5, 0.5);
    StepText.requireProbability("hue", probability);
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
      return "hue " + StepText.rounded(drawn.number(0));
    }

    @Override
    public void row(Drawn drawn, int[] rgb, int width) {
      ColourRows.fastest().turn(rgb, width, (float) drawn.number(0), drawn.spare(3 * width));
    }
  }
}
