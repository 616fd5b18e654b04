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

/// Resizes to a fixed size, whatever the aspect: `resize=224x160`. Filter:
/// [io.headrace.pipeline.resize.Resampler].
///
/// @param height rows of the result
/// @param width columns of the result
public record Resize(int height, int width) implements PixelStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "resize",
          "resize=HEIGHTxWIDTH",
          Applies.PLACES,
          "Resizes to a fixed size, whatever the aspect; bilinear, without aliasing.",
          "",
          "Pillow's Image.resize(…, BILINEAR)",
          List.of("resize=224x160"),
          Resize::parse);

  /// Checks the extents.
  public Resize {
    StepText.requireExtent("resize", height);
    StepText.requireExtent("resize", width);
  }

  private static Resize parse(Spec spec) {
    String size = StepText.required(spec);
    if (!size.contains("x")) {
      throw spec.bad("expected HEIGHTxWIDTH; for the shorter side say resize_shorter=EDGE");
    }
    return new Resize(StepText.height(spec, size), StepText.width(spec, size));
  }

  @Override
  public StepKind kind() {
    return KIND;
  }

  @Override
  public String spec() {
    return "resize=" + height + "x" + width;
  }

  @Override
  public void plan(Plan plan, CounterRandom random) throws DecodeException {
    plan.resize(height, width);
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
