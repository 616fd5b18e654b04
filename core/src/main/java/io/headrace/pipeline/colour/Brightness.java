package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import java.util.List;

/// Multiplies every colour: `brightness=1.2`, or `brightness=0.8-1.2` for a factor drawn for each
/// image. Results are cut to 0 to 255 and truncated.
///
/// @param factor drawn uniformly if it is not one number
/// @param probability how often it is done
public record Brightness(Range factor, double probability) implements ColourStep {
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
          spec -> ColourStep.parse(spec, Brightness::new));

  /// What it does; its number is the factor.
  public static final Effect EFFECT = Work.WORK;

  /// Checks the numbers.
  public Brightness {
    Range _ = factor.within("brightness", "factor", 0, Double.MAX_VALUE);
    StepText.requireProbability("brightness", probability);
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
}
