package io.headrace.pipeline.colour;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Keeps the upper bits of every value.
///
/// @param bits kept of each value, 0 to 8
/// @param probability how often it is done
public record Posterize(int bits, double probability) implements ColourStep {
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

  /// What it does; its number is the bits.
  public static final Effect EFFECT = Work.WORK;

  /// Checks the numbers.
  public Posterize {
    if (bits < 0 || bits > 8) {
      throw new ConfigException("posterize: %d bits, expected 0 to 8".formatted(bits));
    }
    StepText.requireProbability("posterize", probability);
  }

  private static Posterize parse(Spec spec) {
    return new Posterize(spec.number("bits", StepText.required(spec)), Chance.option(spec));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public Effect effect() {
    return EFFECT;
  }

  @Override
  public double number(CounterRandom random) {
    return bits;
  }

  @Override
  public String spec() {
    return "posterize=" + bits + Chance.text(probability);
  }

  private enum Work implements RowEffect {
    WORK;

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
}
