package io.headrace.pipeline.colour;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.ColourRows;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.RowEffect;
import io.headrace.pipeline.step.StepKind;
import io.headrace.spec.Spec;
import java.util.List;

/// Makes all three channels the greyscale: `grayscale`, or `grayscale=0.2` for one image in five.
///
/// `0.2989 R + 0.587 G + 0.114 B`, truncated.
public enum Grayscale implements RowEffect {
  /// What it does.
  EFFECT;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "grayscale",
          "grayscale[=PROBABILITY]",
          Applies.COLOURS,
          "Makes all three channels grey.",
          "whether, if the probability is below 1",
          "torchvision's RandomGrayscale; PRESTO, section 2.2",
          List.of("grayscale", "grayscale=0.2"),
          Grayscale::parse);

  private static ColourStep parse(Spec spec) {
    return ColourStep.plain(spec, KIND, EFFECT);
  }

  @Override
  public String words(Drawn drawn) {
    return "grayscale";
  }

  @Override
  public void row(Drawn drawn, int[] rgb, int width) {
    ColourRows.fastest().grey(rgb, width);
  }
}
