package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.ColourRows;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.spec.Spec;
import java.util.List;

/// Blends every pixel with the mean grey of the image: factor 0 gives grey, 1 the image.
public enum Contrast implements CanvasEffect {
  /// What it does; its number is the factor.
  EFFECT;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "contrast",
          "contrast=FACTOR or contrast=LEAST-GREATEST[:p=PROBABILITY]",
          Applies.COLOURS,
          "Blends each pixel with the mean grey of the image.",
          "whether, if p is below 1; the factor, if it is a range",
          "torchvision's adjust_contrast",
          List.of("contrast=0.5", "contrast=0.8-1.2"),
          Contrast::parse);

  private static ColourStep parse(Spec spec) {
    return ColourStep.byFactor(spec, KIND, EFFECT, 0, Double.MAX_VALUE);
  }

  @Override
  public String words(Drawn drawn) {
    return "contrast " + StepText.rounded(drawn.number(0));
  }

  @Override
  public void apply(Drawn drawn, Canvas canvas) {
    ColourRows rows = ColourRows.fastest();
    int area = canvas.area();
    double mean = (double) rows.greys(canvas.pixels(), area) / area;
    float grey = (float) (1 - drawn.number(0)) * (float) mean;
    rows.blend(canvas.pixels(), 3 * area, (float) drawn.number(0), grey);
  }
}
