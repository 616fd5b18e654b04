package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.ColourRows;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import java.util.List;

/// Blends every pixel with the mean grey of the image: factor 0 gives grey, 1 the image.
///
/// @param factor drawn uniformly if it is not one number
/// @param probability how often it is done
public record Contrast(Range factor, double probability) implements ColourStep {
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
          spec -> ColourStep.parse(spec, Contrast::new));

  /// What it does; its number is the factor.
  public static final Effect EFFECT = Work.WORK;

  /// Checks the numbers.
  public Contrast {
    Range _ = factor.within("contrast", "factor", 0, Double.MAX_VALUE);
    StepText.requireProbability("contrast", probability);
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public Effect effect() {
    return EFFECT;
  }

  private enum Work implements CanvasEffect {
    WORK;

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
}
