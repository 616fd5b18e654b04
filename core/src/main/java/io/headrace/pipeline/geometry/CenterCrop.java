package io.headrace.pipeline.geometry;

import io.headrace.codec.ImageSize;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cuts out the middle: `center_crop=224`. Where the image is smaller, zeros surround it.
///
/// Offsets are `(height - h) / 2` and `(width - w) / 2`, halves rounded to even; a border of odd
/// size is thinner on the top and left. Source: `center_crop` of torchvision's
/// `transforms/functional.py`, 0.9 and later.
///
/// @param height rows of the result
/// @param width columns of the result
public record CenterCrop(int height, int width) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "center_crop",
          "center_crop=SIZE",
          Applies.PLACES,
          "Cuts out the middle; zeros surround an image that is smaller.",
          "",
          "torchvision's CenterCrop",
          List.of("center_crop=224", "center_crop=224x160"),
          CenterCrop::parse);

  /// Checks the extents.
  public CenterCrop {
    StepText.requireExtent("center_crop", height);
    StepText.requireExtent("center_crop", width);
  }

  private static CenterCrop parse(Spec spec) {
    String size = StepText.required(spec);
    return new CenterCrop(StepText.height(spec, size), StepText.width(spec, size));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return "center_crop=" + StepText.size(height, width);
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    plan.crop(middle(plan.height(), height), middle(plan.width(), width), height, width);
  }

  /// {@return where a middle window starts; negative where it overhangs}
  private static int middle(int extent, int window) {
    return window > extent
        ? -((window - extent) / 2)
        : (int) Math.rint((extent - window) / 2.0); // halves to even, as Python rounds
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
