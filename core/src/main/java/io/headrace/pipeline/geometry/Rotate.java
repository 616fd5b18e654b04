package io.headrace.pipeline.geometry;

import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.EffectList;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Rotates around the middle, within the same size: `rotate=15` by -15 to 15 degrees,
/// `rotate=-10..30`, `rotate=90..90`.
///
/// @param degrees anticlockwise, drawn uniformly if it is not one number
/// @param look how pixels are made
/// @param probability how often it is done
public record Rotate(Range degrees, Warp.Look look, double probability) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "rotate",
          "rotate=DEGREES[:interpolation=bilinear][:fill=VALUE][:p=PROBABILITY]",
          Applies.PLACES,
          "Rotates by up to DEGREES either way, or by LEAST..GREATEST.",
          "whether, if p is below 1; the angle",
          "torchvision's RandomRotation",
          List.of(
              "rotate=15",
              "rotate=-10..30:interpolation=bilinear",
              "rotate=90..90",
              "rotate=30:fill=128:p=0.5"),
          Rotate::parse);

  /// Checks the numbers.
  public Rotate {
    Range _ = degrees.within("rotate", "degrees", -360, 360);
    StepText.requireProbability("rotate", probability);
  }

  private static Rotate parse(Spec spec) {
    Range degrees = Range.around(spec, "degrees", StepText.required(spec));
    return new Rotate(degrees, Warp.Look.parse(spec, Warp.Look.NEAREST), Chance.option(spec));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return !degrees.fixed() || Chance.drawn(probability);
  }

  @Override
  public String spec() {
    return "rotate="
        + degrees.aroundText()
        + look.text(Warp.Look.NEAREST)
        + Chance.text(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (Chance.happens(probability, random)) {
      add(plan, plan.height(), plan.width(), look, degrees.draw(random));
    }
  }

  /// Adds the effect to others.
  ///
  /// @param degrees anticlockwise
  public static void add(
      EffectList effects, int height, int width, Warp.Look look, double degrees) {
    Warp.affine(effects, height, width, look, -degrees, 0, 0, 1, 0, 0, false);
  }
}
