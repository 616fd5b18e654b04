package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.StepKind;
import io.headrace.spec.Spec;
import java.util.Arrays;
import java.util.List;

/// Spreads the values of each channel so that all are about as frequent.
public enum Equalize implements CanvasEffect {
  /// What it does.
  EFFECT;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "equalize",
          "equalize[=PROBABILITY]",
          Applies.COLOURS,
          "Equalises the histogram of each channel.",
          "whether, if the probability is below 1",
          "torchvision's equalize, Pillow's ImageOps.equalize",
          List.of("equalize", "equalize=0.2"),
          Equalize::parse);

  private static ColourStep parse(Spec spec) {
    return ColourStep.plain(spec, KIND, EFFECT);
  }

  @Override
  public String words(Drawn drawn) {
    return "equalize";
  }

  @Override
  public void apply(Drawn drawn, Canvas canvas) {
    int area = canvas.area();
    byte[] pixels = canvas.pixels();
    int[] table = drawn.table();
    int[] counts = canvas.ints(256);
    for (int c = 0; c < 3; c++) {
      Arrays.fill(counts, 0, 256, 0);
      for (int i = c * area; i < (c + 1) * area; i++) {
        counts[pixels[i] & 0xff]++;
      }
      fill(counts, area, table, 256 * c);
    }
    canvas.look(table);
  }

  private static void fill(int[] counts, int area, int[] table, int start) {
    int last = 255;
    while (counts[last] == 0) {
      last--;
    }
    int step = (area - counts[last]) / 255;
    int below = 0;
    for (int v = 0; v < 256; v++) {
      table[start + v] = step == 0 ? v : Math.min(255, (below + step / 2) / step);
      below += counts[v];
    }
    if (step != 0) {
      table[start] = 0;
    }
  }
}
