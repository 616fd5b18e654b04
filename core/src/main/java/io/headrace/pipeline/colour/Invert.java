package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.spec.Spec;
import java.util.List;

/// Inverts every colour: 255 less the value.
public enum Invert implements RowEffect {
  /// What it does.
  EFFECT;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "invert",
          "invert[=PROBABILITY]",
          Applies.COLOURS,
          "Inverts colours.",
          "whether, if the probability is below 1",
          "torchvision's RandomInvert",
          List.of("invert", "invert=0.2"),
          Invert::parse);

  private static ColourStep parse(Spec spec) {
    return ColourStep.plain(spec, KIND, EFFECT);
  }

  @Override
  public String words(Drawn drawn) {
    return "invert";
  }

  @Override
  public void row(Drawn drawn, int[] rgb, int width) {
    int n = 3 * width;
    for (int i = 0; i < n; i++) {
      rgb[i] = 255 - rgb[i];
    }
  }
}
