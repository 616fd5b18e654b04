package io.headrace.pipeline.geometry;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Rotates, moves, scales and shears around the middle, within the same size:
/// `affine=10:translate=0.1/0.1:scale=0.9-1.1:shear=5`. A number alone means degrees either way.
///
/// @param degrees clockwise
/// @param translateX share of the width by which the image moves at most, either way
/// @param translateY share of the height
/// @param scale factor
/// @param shearX degrees
/// @param shearY degrees
/// @param look how pixels are made
/// @param probability how often it is done
public record Affine(
    Range degrees,
    double translateX,
    double translateY,
    Range scale,
    Range shearX,
    Range shearY,
    Warp.Look look,
    double probability)
    implements PixelStep {
  private static final Range ONE = new Range(1, 1);
  private static final Range NONE = new Range(0, 0);

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "affine",
          "affine=DEGREES[:translate=X/Y][:scale=LEAST-GREATEST][:shear=DEGREES or"
              + " X/Y][:interpolation=bilinear][:fill=VALUE][:p=PROBABILITY]",
          Applies.PLACES,
          "Rotates, moves, scales and shears by random amounts.",
          "whether, if p is below 1; the angle, columns and rows to move by, scale, shear along"
              + " rows, along columns, those that are ranges",
          "torchvision's RandomAffine",
          List.of(
              "affine=10",
              "affine=10:translate=0.1/0.2:scale=0.9-1.1:shear=5",
              "affine=0:shear=-5..10/3:interpolation=bilinear",
              "affine=0:scale=0.5:p=0.5"),
          Affine::parse);

  /// Checks the numbers.
  public Affine {
    Range _ = degrees.within("affine", "degrees", -360, 360);
    Range _ = shearX.within("affine", "shear", -89, 89);
    Range _ = shearY.within("affine", "shear", -89, 89);
    Range _ = scale.within("affine", "scale", 1e-3, 1e3);
    if (!(0 <= translateX && translateX <= 1 && 0 <= translateY && translateY <= 1)) {
      throw new ConfigException(
          "affine: translate %s/%s, expected shares of 0 to 1".formatted(translateX, translateY));
    }
    StepText.requireProbability("affine", probability);
  }

  private static Affine parse(Spec spec) {
    Range degrees = Range.around(spec, "degrees", StepText.required(spec));
    String translate = spec.option("translate");
    String shear = spec.option("shear");
    int slash = translate == null ? -1 : translate.indexOf('/');
    if (translate != null && slash < 0) {
      throw spec.bad("expected translate=X/Y, shares of width and height");
    }
    int and = shear == null ? -1 : shear.indexOf('/');
    return new Affine(
        degrees,
        translate == null ? 0 : spec.decimal("translate", translate.substring(0, slash)),
        translate == null ? 0 : spec.decimal("translate", translate.substring(slash + 1)),
        Range.option(spec, "scale", ONE),
        shear == null
            ? NONE
            : Range.around(spec, "shear", and < 0 ? shear : shear.substring(0, and)),
        shear == null || and < 0 ? NONE : Range.around(spec, "shear", shear.substring(and + 1)),
        Warp.Look.parse(spec, Warp.Look.NEAREST),
        Chance.option(spec));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return !degrees.fixed()
        || translateX > 0
        || translateY > 0
        || !scale.fixed()
        || !shearX.fixed()
        || !shearY.fixed()
        || Chance.drawn(probability);
  }

  @Override
  public String spec() {
    var text = new StringBuilder("affine=").append(degrees.aroundText());
    if (translateX > 0 || translateY > 0) {
      text.append(":translate=")
          .append(StepText.number(translateX))
          .append('/')
          .append(StepText.number(translateY));
    }
    if (!scale.equals(ONE)) {
      text.append(":scale=").append(scale.text());
    }
    if (!shearX.equals(NONE) || !shearY.equals(NONE)) {
      text.append(":shear=").append(shearX.aroundText());
      if (!shearY.equals(NONE)) {
        text.append('/').append(shearY.aroundText());
      }
    }
    return text.append(look.text(Warp.Look.NEAREST)).append(Chance.text(probability)).toString();
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (!Chance.happens(probability, random)) {
      return;
    }
    double angle = degrees.draw(random);
    double right = 0;
    double down = 0;
    if (translateX > 0 || translateY > 0) {
      right = Math.rint(translateX * plan.width() * (2 * random.nextDouble() - 1));
      down = Math.rint(translateY * plan.height() * (2 * random.nextDouble() - 1));
    }
    double factor = scale.draw(random);
    double x = shearX.draw(random);
    double y = shearY.draw(random);
    Warp.affine(plan, plan.height(), plan.width(), look, angle, right, down, factor, x, y, false);
  }
}
