package io.headrace.pipeline.geometry;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.EffectList;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Shows the image as if it was seen from the side: each corner moves inwards, by random amounts.
/// `perspective=0.5:p=0.5` is torchvision's usual one.
///
/// @param distortion share of half the width and height by which corners move inwards at most
/// @param look how pixels are made
/// @param probability how often it is done
public record Perspective(double distortion, Warp.Look look, double probability)
    implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "perspective",
          "perspective=DISTORTION[:interpolation=nearest][:fill=VALUE][:p=PROBABILITY]",
          Applies.PLACES,
          "Moves each corner inwards by random amounts, as if seen from the side.",
          "whether, if p is below 1; column and row of the upper left, upper right, lower right and"
              + " lower left corner",
          "torchvision's RandomPerspective",
          List.of("perspective=0.5", "perspective=0.2:interpolation=nearest:fill=10:p=0.5"),
          Perspective::parse);

  /// Checks the numbers.
  public Perspective {
    if (!(0 <= distortion && distortion <= 1)) {
      throw new ConfigException(
          "perspective: distortion %s, expected 0 to 1".formatted(distortion));
    }
    StepText.requireProbability("perspective", probability);
  }

  private static Perspective parse(Spec spec) {
    return new Perspective(
        spec.decimal("distortion", StepText.required(spec)),
        Warp.Look.parse(spec, Warp.Look.BILINEAR),
        Chance.option(spec));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return true;
  }

  @Override
  public String spec() {
    return "perspective="
        + StepText.number(distortion)
        + look.text(Warp.Look.BILINEAR)
        + Chance.text(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    if (!Chance.happens(probability, random)) {
      return;
    }
    int width = plan.width();
    int height = plan.height();
    int halfWidth = width / 2;
    int halfHeight = height / 2;
    int columns = (int) (distortion * halfWidth) + 1;
    int rows = (int) (distortion * halfHeight) + 1;
    double x0 = random.nextInt(columns);
    double y0 = random.nextInt(rows);
    double x1 = (double) width - columns + random.nextInt(columns);
    double y1 = random.nextInt(rows);
    double x2 = (double) width - columns + random.nextInt(columns);
    double y2 = (double) height - rows + random.nextInt(rows);
    double x3 = random.nextInt(columns);
    double y3 = (double) height - rows + random.nextInt(rows);
    add(plan, width, height, look, x0, y0, x1, y1, x2, y2, x3, y3);
  }

  /// Adds the warp that shows the corners of the image at other places: `(x0, y0)` is where the
  /// first pixel goes, then clockwise. Needs no general solver: a square becomes any quadrangle by
  /// the formulas of Heckbert, "Fundamentals of texture mapping and image warping", 1989, section
  /// 2.2.3, whose inverse is taken.
  public static void add(
      EffectList effects,
      int width,
      int height,
      Warp.Look look,
      double x0,
      double y0,
      double x1,
      double y1,
      double x2,
      double y2,
      double x3,
      double y3) {
    double sx = x0 - x1 + x2 - x3;
    double sy = y0 - y1 + y2 - y3;
    double dx1 = x1 - x2;
    double dx2 = x3 - x2;
    double dy1 = y1 - y2;
    double dy2 = y3 - y2;
    double det = dx1 * dy2 - dx2 * dy1;
    double g = (sx * dy2 - dx2 * sy) / det;
    double h = (dx1 * sy - sx * dy1) / det;
    double a = x1 - x0 + g * x1;
    double b = x3 - x0 + h * x3;
    double d = y1 - y0 + g * y1;
    double e = y3 - y0 + h * y3;
    // from the unit square; its inverse, from the result to the square, up to a factor
    double i0 = e - y0 * h;
    double i1 = x0 * h - b;
    double i2 = b * y0 - x0 * e;
    double i3 = y0 * g - d;
    double i4 = a - x0 * g;
    double i5 = x0 * d - a * y0;
    double i6 = d * h - e * g;
    double i7 = b * g - a * h;
    double i8 = a * e - b * d;
    double across = width - 1.0;
    double down = height - 1.0;
    Drawn _ =
        Warp.add(effects, look)
            .set(0, across * i0 / i8)
            .set(1, across * i1 / i8)
            .set(2, across * i2 / i8)
            .set(3, down * i3 / i8)
            .set(4, down * i4 / i8)
            .set(5, down * i5 / i8)
            .set(6, i6 / i8)
            .set(7, i7 / i8);
  }
}
