package io.headrace.pipeline.geometry;

import io.headrace.codec.ImageSize;
import io.headrace.error.DecodeException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Resizes so that the shorter side is `edge`, keeping the aspect: `resize_shorter=256`.
///
/// The other side is truncated, see [ImageSize#withShorterSide].
///
/// @param edge pixels of the shorter side
public record ResizeShorter(int edge) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "resize_shorter",
          "resize_shorter=EDGE",
          Applies.PLACES,
          "Resizes so that the shorter side has EDGE pixels, keeping the aspect.",
          "",
          "torchvision's Resize(EDGE), antialias=True",
          List.of("resize_shorter=256"),
          spec -> new ResizeShorter(spec.number("edge", StepText.required(spec))));

  /// Checks the extent.
  public ResizeShorter {
    StepText.requireExtent("resize_shorter", edge);
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return "resize_shorter=" + edge;
  }

  @Override
  public void plan(Plan plan, CounterRandom random) throws DecodeException {
    int height = plan.height();
    int width = plan.width();
    long longer = ImageSize.longerSide(edge, Math.max(height, width), Math.min(height, width));
    if (longer > Integer.MAX_VALUE / 8) {
      throw Plan.limit(
          "an image of %d x %d pixels would be %d long, resized to a shorter side of %d"
              .formatted(height, width, longer, edge));
    }
    plan.resize(height <= width ? edge : (int) longer, height <= width ? (int) longer : edge);
  }

  @Override
  public @Nullable ImageSize size(@Nullable ImageSize size) {
    return size == null ? null : size.withShorterSide(edge);
  }

  @Override
  public boolean keeps(int height, int width) {
    return edge == Math.min(height, width);
  }
}
