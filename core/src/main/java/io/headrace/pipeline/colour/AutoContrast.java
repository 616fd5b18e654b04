package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.StepKind;
import io.headrace.spec.Spec;
import java.util.List;

/// Stretches each channel so that its least value becomes 0 and its greatest 255.
public enum AutoContrast implements CanvasEffect {
  /// What it does.
  EFFECT;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "autocontrast",
          "autocontrast[=PROBABILITY]",
          Applies.COLOURS,
          "Stretches each channel to 0 to 255.",
          "whether, if the probability is below 1",
          "torchvision's autocontrast",
          List.of("autocontrast", "autocontrast=0.2"),
          AutoContrast::parse);

  private static ColourStep parse(Spec spec) {
    return ColourStep.plain(spec, KIND, EFFECT);
  }

  @Override
  public String words(Drawn drawn) {
    return "autocontrast";
  }

  @Override
  public void apply(Drawn drawn, Canvas canvas) {
    int area = canvas.area();
    byte[] pixels = canvas.pixels();
    int[] table = drawn.table();
    for (int c = 0; c < 3; c++) {
      int least = 255;
      int most = 0;
      for (int i = c * area; i < (c + 1) * area; i++) {
        least = Math.min(least, pixels[i] & 0xff);
        most = Math.max(most, pixels[i] & 0xff);
      }
      float scale = (most - least) * (1f / 255);
      for (int v = 0; v < 256; v++) {
        table[256 * c + v] =
            least == most ? v : (int) Math.max(0f, Math.min(255f, (v - least) / scale));
      }
    }
    canvas.look(table);
  }
}
