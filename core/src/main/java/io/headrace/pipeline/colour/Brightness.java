package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.spec.Spec;
import java.util.List;

/// Multiplies every colour: `brightness=1.2`, or `brightness=0.8-1.2` for a factor drawn for each
/// image. Results are cut to 0 to 255 and truncated.
public enum Brightness implements RowEffect {
  /// What it does; its number is the factor.
  EFFECT;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "brightness",
          "brightness=FACTOR or brightness=LEAST-GREATEST[:p=PROBABILITY]",
          Applies.COLOURS,
          "Multiplies colours by a factor.",
          "whether, if p is below 1; the factor, if it is a range",
          "torchvision's adjust_brightness",
          List.of("brightness=1.2", "brightness=0.8-1.2", "brightness=0-2:p=0.8"),
          Brightness::parse);

  private static ColourStep parse(Spec spec) {
    return ColourStep.byFactor(spec, KIND, EFFECT, 0, Double.MAX_VALUE);
  }

  @Override
  public String words(Drawn drawn) {
    return "brightness " + StepText.rounded(drawn.number(0));
  }

  @Override
  public void row(Drawn drawn, int[] rgb, int width) {
    float factor = (float) drawn.number(0);
    int n = 3 * width;
    for (int i = 0; i < n; i++) {
      rgb[i] = (int) Math.min(255f, rgb[i] * factor);
    }
  }
}
