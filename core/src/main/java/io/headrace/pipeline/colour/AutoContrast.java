package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.EffectList;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import java.util.List;

/// Stretches each channel so that its least value becomes 0 and its greatest 255.
///
/// @param probability how often it is done
public record AutoContrast(double probability) implements PixelStep {
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
          spec -> new AutoContrast(StepText.probability(spec, 1)));

  /// Checks the probability.
  public AutoContrast {
    StepText.requireProbability("autocontrast", probability);
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return Chance.drawn(probability);
  }

  @Override
  public String spec() {
    return probability == 1 ? "autocontrast" : "autocontrast=" + StepText.number(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (Chance.happens(probability, random)) {
      add(plan);
    }
  }

  /// Adds the effect to others.
  public static void add(EffectList effects) {
    Drawn _ = effects.add(Work.WORK);
  }

  private enum Work implements CanvasEffect {
    WORK;

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
}
