package io.headrace.pipeline.geometry;

import io.headrace.codec.ImageSize;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cuts out a window of random area and aspect and resizes it to a fixed size:
/// `random_resized_crop=224`, or with options
/// `random_resized_crop=224:area=0.1-1:aspect=0.75-1.25`.
///
/// Area is uniform, aspect log-uniform, 10 tries, then the largest middle window within the
/// aspects. Source: `RandomResizedCrop.get_params` of torchvision's `transforms/transforms.py`.
///
/// @param height rows of the result
/// @param width columns of the result
/// @param minArea least share of the image's area, above 0
/// @param maxArea greatest share of the image's area, at most 1
/// @param minAspect least width / height of the window, above 0
/// @param maxAspect greatest width / height of the window
public record RandomResizedCrop(
    int height, int width, double minArea, double maxArea, double minAspect, double maxAspect)
    implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "random_resized_crop",
          "random_resized_crop=SIZE[:area=LEAST-GREATEST][:aspect=LEAST-GREATEST]",
          Applies.PLACES,
          "Cuts out a window of random area and aspect and resizes it.",
          "for each of at most 10 tries area and aspect, and if it fits row and column",
          "torchvision's RandomResizedCrop",
          List.of("random_resized_crop=224", "random_resized_crop=224x192:area=0.1-1"),
          RandomResizedCrop::parse);

  private static final String RANGES =
      "expected area=LEAST-GREATEST or aspect=LEAST-GREATEST after ':'";
  private static final int TRIES = 10;
  /// Torchvision's ranges.
  private static final double MIN_AREA = 0.08;
  private static final double MAX_AREA = 1;
  private static final double MIN_ASPECT = 3.0 / 4;
  private static final double MAX_ASPECT = 4.0 / 3;

  /// Checks extents and ranges.
  public RandomResizedCrop {
    StepText.requireExtent("random_resized_crop", height);
    StepText.requireExtent("random_resized_crop", width);
    if (!(0 < minArea && minArea <= maxArea && maxArea <= 1)) {
      throw new ConfigException(
          "random_resized_crop: area %s to %s, expected 0 < least <= greatest <= 1"
              .formatted(minArea, maxArea));
    }
    if (!(0 < minAspect && minAspect <= maxAspect && maxAspect < Double.POSITIVE_INFINITY)) {
      throw new ConfigException(
          "random_resized_crop: aspect %s to %s, expected 0 < least <= greatest"
              .formatted(minAspect, maxAspect));
    }
  }

  private static RandomResizedCrop parse(Spec spec) {
    String size = StepText.required(spec);
    List<Double> area = range(spec, "area", MIN_AREA, MAX_AREA);
    List<Double> aspect = range(spec, "aspect", MIN_ASPECT, MAX_ASPECT);
    if (!spec.isEmpty()) {
      throw spec.bad(RANGES);
    }
    return new RandomResizedCrop(
        StepText.height(spec, size),
        StepText.width(spec, size),
        area.getFirst(),
        area.getLast(),
        aspect.getFirst(),
        aspect.getLast());
  }

  /// {@return an option of the form `LEAST-GREATEST`}
  private static List<Double> range(Spec spec, String option, double least, double greatest) {
    String value = spec.option(option);
    if (value == null) {
      return List.of(least, greatest);
    }
    int dash = value.indexOf('-');
    if (dash < 1) {
      throw spec.bad(RANGES);
    }
    return List.of(
        spec.decimal(option, value.substring(0, dash)),
        spec.decimal(option, value.substring(dash + 1)));
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
    var text = new StringBuilder("random_resized_crop=").append(StepText.size(height, width));
    if (minArea != MIN_AREA || maxArea != MAX_AREA) {
      text.append(":area=").append(text(minArea, maxArea));
    }
    if (minAspect != MIN_ASPECT || maxAspect != MAX_ASPECT) {
      text.append(":aspect=").append(text(minAspect, maxAspect));
    }
    return text.toString();
  }

  private static String text(double least, double greatest) {
    return StepText.number(least) + "-" + StepText.number(greatest);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) throws DecodeException {
    plan.settle();
    if (!tryCrops(plan, random)) {
      middleCrop(plan);
    }
    plan.resize(height, width);
  }

  private boolean tryCrops(Plan plan, CounterRandom random) {
    int height = plan.height();
    int width = plan.width();
    double area = (double) height * width;
    double low = StrictMath.log(minAspect); // the same bits on every machine
    double high = StrictMath.log(maxAspect);
    for (int i = 0; i < TRIES; i++) {
      double target = area * between(minArea, maxArea, random.nextDouble());
      double aspect = StrictMath.exp(between(low, high, random.nextDouble()));
      int w = (int) Math.rint(Math.sqrt(target * aspect));
      int h = (int) Math.rint(Math.sqrt(target / aspect));
      if (0 < w && w <= width && 0 < h && h <= height) {
        int y = random.nextInt(height - h + 1);
        int x = random.nextInt(width - w + 1);
        plan.crop(y, x, h, w);
        return true;
      }
    }
    return false;
  }

  private void middleCrop(Plan plan) {
    int height = plan.height();
    int width = plan.width();
    double aspect = (double) width / height;
    int h = height;
    int w = width;
    if (aspect < minAspect) {
      h = (int) Math.rint(w / minAspect);
    } else if (aspect > maxAspect) {
      w = (int) Math.rint(h * maxAspect);
    }
    h = Math.clamp(h, 1, height);
    w = Math.clamp(w, 1, width);
    plan.crop((height - h) / 2, (width - w) / 2, h, w);
  }

  private static double between(double low, double high, double share) {
    return low + (high - low) * share;
  }

  @Override
  public ImageSize size(@Nullable ImageSize size) {
    return new ImageSize(height, width);
  }
}
