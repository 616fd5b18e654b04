package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.spec.Spec;
import java.util.List;

/// Blends the image with a smoothed one: factor 0 smooths, 1 keeps, 2 sharpens. Pixels at the edge
/// stay as they are, and so do images with fewer than 3 rows or columns.
public enum Sharpness implements CanvasEffect {
  /// What it does; its number is the factor.
  EFFECT;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "sharpness",
          "sharpness=FACTOR or sharpness=LEAST-GREATEST[:p=PROBABILITY]",
          Applies.COLOURS,
          "Blends with a smoothed image: below 1 smooths, above sharpens.",
          "whether, if p is below 1; the factor, if it is a range",
          "torchvision's adjust_sharpness",
          List.of("sharpness=2", "sharpness=0-2:p=0.5"),
          Sharpness::parse);

  private static ColourStep parse(Spec spec) {
    return ColourStep.byFactor(spec, KIND, EFFECT, 0, Double.MAX_VALUE);
  }

  @Override
  public String words(Drawn drawn) {
    return "sharpness " + StepText.rounded(drawn.number(0));
  }

  @Override
  public void apply(Drawn drawn, Canvas canvas) {
    int height = canvas.height();
    int width = canvas.width();
    if (height <= 2 || width <= 2) {
      return;
    }
    float rest = (float) (1 - drawn.number(0));
    byte[] from = canvas.pixels();
    byte[] to = canvas.spare();
    System.arraycopy(from, 0, to, 0, 3 * canvas.area());
    int[] sums = canvas.ints(width);
    for (int c = 0; c < 3; c++) {
      for (int y = 1; y < height - 1; y++) {
        int at = (c * height + y) * width;
        for (int x = 0; x < width; x++) { // of the three rows
          sums[x] =
              (from[at - width + x] & 0xff) + (from[at + x] & 0xff) + (from[at + width + x] & 0xff);
        }
        for (int x = 1; x < width - 1; x++) {
          int v = from[at + x] & 0xff;
          int smooth = (sums[x - 1] + sums[x] + sums[x + 1] + 4 * v + 6) / 13; // rounded
          to[at + x] = (byte) (int) Math.max(0f, Math.min(255f, v + rest * (smooth - v)));
        }
      }
    }
    canvas.swap();
  }
}
