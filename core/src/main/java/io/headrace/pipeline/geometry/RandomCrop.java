package io.headrace.pipeline.geometry;

import io.headrace.codec.ImageSize;
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

/// Cuts out a window, uniform over all places it fits: `random_crop=224`.
///
/// An image smaller than the window fails, as in torchvision without padding.
///
/// @param height rows of the result
/// @param width columns of the result
public record RandomCrop(int height, int width) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "random_crop",
          "random_crop=SIZE",
          Applies.PLACES,
          "Cuts out a window at a random place; a smaller image fails.",
          "row, column",
          "torchvision's RandomCrop without padding",
          List.of("random_crop=224", "random_crop=224x200"),
          RandomCrop::parse);

  /// Checks the extents.
  public RandomCrop {
    StepText.requireExtent("random_crop", height);
    StepText.requireExtent("random_crop", width);
  }

  private static RandomCrop parse(Spec spec) {
    String size = StepText.required(spec);
    return new RandomCrop(StepText.height(spec, size), StepText.width(spec, size));
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
  public Applies latest() {
    return Applies.TYPE;
  }

  @Override
  public String spec() {
    return "random_crop=" + StepText.size(height, width);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) throws DecodeException {
    if (plan.height() < height || plan.width() < width) {
      throw Plan.limit(
          "an image of %d x %d pixels is smaller than random_crop=%dx%d"
              .formatted(plan.height(), plan.width(), height, width));
    }
    int y = random.nextInt(plan.height() - height + 1);
    int x = random.nextInt(plan.width() - width + 1);
    plan.crop(y, x, height, width);
  }

  @Override
  public ImageSize size(@Nullable ImageSize size) {
    return new ImageSize(height, width);
  }

  @Override
  public boolean keeps(int height, int width) {
    return height == this.height && width == this.width;
  }
}
