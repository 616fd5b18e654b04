package io.headrace.pipeline.colour;

import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.CanvasEffect;
import io.headrace.pipeline.step.Chance;
import io.headrace.pipeline.step.ColourRows;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;

/// Blurs with a Gaussian window: `gaussian_blur=23:sigma=0.1-2`. Sigma is drawn from 0.1 to 2
/// unless said. The image is mirrored at its edges.
///
/// A pixel at distance `t` has a weight in proportion to `exp(-t² / (2 sigma²))`.
///
/// @param kernel pixels of the window along each axis, odd
/// @param sigma deviation in units of torchvision, drawn uniformly if it is not one number
/// @param probability how often it is done
public record GaussianBlur(int kernel, Range sigma, double probability) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "gaussian_blur",
          "gaussian_blur=KERNEL[:sigma=SIGMA or LEAST-GREATEST][:p=PROBABILITY]",
          Applies.COLOURS,
          "Blurs with a Gaussian window.",
          "whether, if p is below 1; sigma, if it is a range",
          "torchvision's GaussianBlur",
          List.of(
              "gaussian_blur=5", "gaussian_blur=23:sigma=0.1-1.5:p=0.5", "gaussian_blur=3:sigma=1"),
          GaussianBlur::parse);

  private static final Range SIGMA = new Range(0.1, 2);

  /// Checks the numbers.
  public GaussianBlur {
    if (kernel < 1 || kernel % 2 == 0 || kernel > 1001) {
      throw new ConfigException(
          "gaussian_blur: a kernel of %d pixels, expected an odd number up to 1001"
              .formatted(kernel));
    }
    Range _ = sigma.within("gaussian_blur", "sigma", 1e-3, 1e6);
    StepText.requireProbability("gaussian_blur", probability);
  }

  private static GaussianBlur parse(Spec spec) {
    int kernel = spec.number("kernel", StepText.required(spec));
    return new GaussianBlur(kernel, Range.option(spec, "sigma", SIGMA), Chance.option(spec));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public boolean random() {
    return !sigma.fixed() || Chance.drawn(probability);
  }

  @Override
  public String spec() {
    return "gaussian_blur="
        + kernel
        + (sigma.equals(SIGMA) ? "" : ":sigma=" + sigma.text())
        + Chance.text(probability);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) throws DecodeException {
    if (!Chance.happens(probability, random)) {
      return;
    }
    if (kernel / 2 >= Math.min(plan.height(), plan.width())) {
      throw Plan.limit(
          "an image of %d x %d pixels is too small for gaussian_blur=%d"
              .formatted(plan.height(), plan.width(), kernel));
    }
    Drawn _ = plan.add(Work.WORK).set(0, sigma.draw(random)).set(1, kernel);
  }

  private enum Work implements CanvasEffect {
    WORK;

    private static final float LEAST = 0x1p-27f;

    @Override
    public String words(Drawn drawn) {
      return "gaussian_blur %d, sigma %.3g".formatted((int) drawn.number(1), drawn.number(0));
    }

    @Override
    public void apply(Drawn drawn, Canvas canvas) {
      int most = (int) drawn.number(1) / 2;
      float[] weights = canvas.floats(0, most + 1);
      int radius = weigh(weights, most, drawn.number(0));
      int width = canvas.width();
      int height = canvas.height();
      float[] padded = canvas.floats(2, width + 2 * radius);
      float[] sums = canvas.floats(1, canvas.area());
      int[] row = canvas.ints(width);
      ColourRows rows = ColourRows.fastest();
      for (int c = 0; c < 3; c++) {
        for (int y = 0; y < height; y++) {
          pad(canvas.pixels(), (c * height + y) * width, width, radius, padded);
          rows.across(padded, weights, radius, sums, y * width, width);
        }
        for (int y = 0; y < height; y++) {
          rows.down(sums, y, height, width, weights, radius, row);
          rows.store(row, 0, canvas.spare(), (c * height + y) * width, width);
        }
      }
      canvas.swap();
    }

    /// Weights by distance, whose sum over the window is 1.
    ///
    /// @return the greatest distance whose weight is not too small to matter: with all pixels of
    ///     255 there it would add less than the last bit of a sum in float32
    private static int weigh(float[] weights, int most, double sigma) {
      double sum = 0;
      for (int t = 0; t <= most; t++) {
        double weight = StrictMath.exp(-0.5 * t * t / (sigma * sigma));
        weights[t] = (float) weight;
        sum += t == 0 ? weight : 2 * weight;
      }
      int radius = most;
      for (int t = 0; t <= most; t++) {
        weights[t] = (float) (weights[t] / sum);
      }
      while (radius > 0 && weights[radius] < LEAST) {
        radius--;
      }
      return radius;
    }

    /// Puts a row into `padded`, mirrored at its ends, the edge's own pixel once.
    private static void pad(byte[] pixels, int from, int width, int radius, float[] padded) {
      for (int x = 0; x < width; x++) {
        padded[radius + x] = pixels[from + x] & 0xff;
      }
      for (int t = 1; t <= radius; t++) {
        padded[radius - t] = padded[radius + t];
        padded[radius + width - 1 + t] = padded[radius + width - 1 - t];
      }
    }
  }
}
