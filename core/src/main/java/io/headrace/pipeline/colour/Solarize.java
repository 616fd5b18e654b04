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

/// Inverts what is bright: values of at least the threshold, 128 unless said.
public enum Solarize implements RowEffect {
  /// What it does; its number is the threshold.
  EFFECT;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "solarize",
          "solarize[=THRESHOLD][:p=PROBABILITY]",
          Applies.COLOURS,
          "Inverts values of at least the threshold.",
          "whether, if p is below 1",
          "torchvision's solarize",
          List.of("solarize=128", "solarize=110:p=0.2"),
          Solarize::parse);

  private static ColourStep parse(Spec spec) {
    String text = spec.next();
    double threshold = text == null ? 128 : spec.decimal("threshold", text);
    double probability = Chance.option(spec);
    if (!(0 <= threshold && threshold <= 255)) {
      throw new ConfigException("solarize: threshold %s, expected 0 to 255".formatted(threshold));
    }
    return new ColourStep(KIND, EFFECT, new Range(threshold, threshold), probability);
  }

  @Override
  public String words(Drawn drawn) {
    return "solarize " + StepText.number(drawn.number(0));
  }

  @Override
  public void row(Drawn drawn, int[] rgb, int width) {
    int least = (int) Math.ceil(drawn.number(0));
    int n = 3 * width;
    for (int i = 0; i < n; i++) {
      rgb[i] = rgb[i] >= least ? 255 - rgb[i] : rgb[i];
    }
  }
}
