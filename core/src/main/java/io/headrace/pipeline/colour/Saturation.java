package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.ColourRows;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.spec.Spec;
import java.util.List;

/// Blends every pixel with its greyscale: factor 0 gives greyscale, 1 the image, 2 strong colours.
public enum Saturation implements RowEffect {
  /// What it does; its number is the factor.
  EFFECT;

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

  private static ColourStep parse(Spec spec) {
    return ColourStep.byFactor(spec, KIND, EFFECT, 0, Double.MAX_VALUE);
  }

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
