package io.headrace.pipeline.colour;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.spec.Spec;
import java.util.List;

/// Keeps the upper bits of every value.
public enum Posterize implements RowEffect {
  /// What it does; its number is the bits.
  EFFECT;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "posterize",
          "posterize=BITS[:p=PROBABILITY]",
          Applies.COLOURS,
          "Keeps the upper bits of each value.",
          "whether, if p is below 1",
          "torchvision's posterize",
          List.of("posterize=4", "posterize=2:p=0.5"),
          Posterize::parse);

  private static ColourStep parse(Spec spec) {
    int bits = spec.number("bits", StepText.required(spec));
    double probability = Chance.option(spec);
    if (bits < 0 || bits > 8) {
      throw new ConfigException("posterize: %d bits, expected 0 to 8".formatted(bits));
    }
    return new ColourStep(KIND, EFFECT, new Range(bits, bits), probability);
  }

  @Override
  public String words(Drawn drawn) {
    return "posterize " + (int) drawn.number(0);
  }

  @Override
  public void row(Drawn drawn, int[] rgb, int width) {
    int mask = (0xff00 >>> (int) drawn.number(0)) & 0xff;
    int n = 3 * width;
    for (int i = 0; i < n; i++) {
      rgb[i] &= mask;
    }
  }
}
