package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.ColourRows;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.spec.Spec;
import java.util.List;

/// Turns the hue: `hue=0.1` by a tenth of the colour circle, `hue=-0.1..0.1` by a share drawn for
/// each image. By way of HSV in float32.
public enum Hue implements RowEffect {
  /// What it does; its number is the factor.
  EFFECT;

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

  private static ColourStep parse(Spec spec) {
    return ColourStep.byFactor(spec, KIND, EFFECT, -0.5, 0.5);
  }

  @Override
  public String words(Drawn drawn) {
    return "hue " + StepText.rounded(drawn.number(0));
  }

  @Override
  public void row(Drawn drawn, int[] rgb, int width) {
    ColourRows.fastest().turn(rgb, width, (float) drawn.number(0), drawn.spare(3 * width));
  }
}
