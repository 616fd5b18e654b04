package io.headrace.pipeline;

import io.headrace.codec.ImageSize;
import io.headrace.error.DecodeException;
import io.headrace.memory.TensorSpec;
import io.headrace.pipeline.resize.AcrossFilter;
import io.headrace.pipeline.resize.Stage;
import io.headrace.pipeline.step.BatchStep;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.step.ValueStep;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A plan in words.
final class PlanText {
  private PlanText() {}

  static String of(Pipeline pipeline, SampleProcessor.Options options, ImageSize size)
      throws DecodeException {
    var random = new CounterRandom();
    random.reset(0, 0, 0);
    var plan = pipeline.plan();
    plan.set(size.height(), size.width(), random);
    List<String> lines = new ArrayList<>();
    lines.add("%s of an image of %s".formatted(pipeline.spec(), size));
    if (pipeline.done() > 0) {
      lines.add("done ahead: " + pipeline.ahead().spec());
    }
    lines.add("decode: " + decode(options, plan.stage(0)));
    for (int i = 0; i < plan.count(); i++) {
      Stage stage = plan.stage(i);
      boolean last = i == plan.count() - 1;
      lines.add("pass %d: %s".formatted(i + 1, pass(stage)));
      if (plan.begin(i) < plan.end(i)) {
        lines.add("  then " + effects(plan, i));
      }
      if (plan.late(i)) {
        lines.add("  (cut out or mirrored first: the same colours, of fewer pixels)");
      }
      if (!last) {
        lines.add("  to uint8 [%d, %d, 3]".formatted(stage.height, stage.width));
      }
    }
    TensorSpec sample = pipeline.outputSpec(size);
    lines.add(
        "  to %s %s%s, straight into its place in the batch"
            .formatted(sample.dtype().label(), sample.shape(), values(pipeline)));
    if (pipeline.views() > 1) {
      lines.add(
          "  and so for %d more, with draws of their own, in fields view_1 …"
              .formatted(pipeline.views() - 1));
    }
    for (int i = 0; i < plan.finishing().parts(); i++) {
      Drawn drawn = plan.finishing().part(i);
      lines.add("  there " + drawn.effect().words(drawn));
    }
    if (!pipeline.steps().isEmpty() && pipeline.steps().getLast() instanceof BatchStep batch) {
      lines.add("every batch: " + batch.spec());
    }
    if (options.planes()) {
      lines.add(
          "JPEGs in YCbCr or grey: planes are resized, then colours made; others: planes of red,"
              + " green and blue; rows by "
              + (AcrossFilter.vectors()
                  ? "vectors"
                  : "plain Java (vectors: --add-modules jdk.incubator.vector)"));
    }
    return String.join("\n", lines) + "\n";
  }

  private static String decode(SampleProcessor.Options options, Stage first) {
    List<String> words = new ArrayList<>();
    int eighths = options.dctScaling() ? SampleProcessor.eighths(first) : 8;
    words.add(eighths == 8 ? "full size" : "JPEG at 1/" + 8 / eighths);
    if (eighths < 8 && options.planes() && !options.applyOrientation()) {
      words.add("of a pyramid that level");
    }
    words.add(
        options.regions()
            ? "of JPEGs, raw and lossless images no more than is shown, where that is less"
            : "the whole image");
    if (options.applyOrientation()) {
      words.add("turned upright");
    }
    return String.join(", ", words);
  }

  private static String pass(Stage stage) {
    List<String> words = new ArrayList<>();
    if (stage.boxHeight < stage.inHeight || stage.boxWidth < stage.inWidth) {
      words.add(
          "crop %dx%d at row %d, column %d"
              .formatted(stage.boxHeight, stage.boxWidth, stage.boxTop, stage.boxLeft));
    }
    if (!stage.copies()) {
      words.add("resize to %dx%d".formatted(stage.resizedHeight, stage.resizedWidth));
    }
    if (!stage.whole()) {
      words.add(
          "cut out %dx%d at row %d, column %d"
              .formatted(stage.height, stage.width, stage.top, stage.left));
    }
    if (stage.flipped) {
      words.add("mirror");
    }
    if (stage.upended) {
      words.add("turn upside down");
    }
    return words.isEmpty() ? "copy" : String.join(", ", words);
  }

  private static String effects(Plan plan, int pass) {
    List<String> words = new ArrayList<>();
    for (int i = plan.begin(pass); i < plan.end(pass); i++) {
      Drawn drawn = plan.effect(i);
      words.add(drawn.effect().words(drawn));
    }
    return String.join(", ", words);
  }

  private static String values(Pipeline pipeline) {
    StringBuilder text = new StringBuilder();
    for (Step step : pipeline.steps()) {
      if (step instanceof ValueStep) {
        text.append(", ").append(step.spec().toLowerCase(Locale.ROOT));
      }
    }
    return text.toString();
  }
}
