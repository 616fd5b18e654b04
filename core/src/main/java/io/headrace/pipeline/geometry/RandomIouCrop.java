package io.headrace.pipeline.geometry;

import io.headrace.codec.ImageSize;
import io.headrace.error.ConfigException;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Boxes;
import io.headrace.pipeline.step.PixelStep;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Range;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Cuts out a window that overlaps one of the image's boxes at least as much as is drawn:
/// `random_iou_crop`, the crop of SSD. An overlap of 1 leaves the image whole, and so does an image
/// without boxes. Boxes whose middle is outside the window are emptied.
///
/// Source: Liu et al., "SSD: Single Shot MultiBox Detector", 2016, section 2.2, as
/// `RandomIoUCrop.make_params` of torchvision's `transforms/v2/_geometry.py` has it, in float32 as
/// there.
///
/// @param scale shares of the image's height and width that the window has
/// @param aspect width / height of the window
/// @param overlaps of which one is drawn: the area that window and box share over the area that
///     both cover
/// @param tries for each overlap drawn, before another is
public record RandomIouCrop(Range scale, Range aspect, List<Double> overlaps, int tries)
    implements PixelStep {
  private static final Range SCALE = new Range(0.3, 1);
  private static final Range ASPECT = new Range(0.5, 2);
  private static final List<Double> OVERLAPS = List.of(0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0);
  private static final int TRIES = 40;

  /// Overlaps drawn for an image at most; it then stays whole. Each time the whole image is among
  /// what is drawn from, so that nobody gets so far unless there are very many overlaps.
  private static final int MAX_ROUNDS = 1000;

  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "random_iou_crop",
          "random_iou_crop[=scale=LEAST-GREATEST][:aspect=LEAST-GREATEST][:overlaps=X/Y/1]"
              + "[:tries=N]",
          Applies.PLACES,
          "Cuts out a window that overlaps a box as much as is drawn; needs one field of boxes.",
          "the overlap; for each of its 40 tries width and height, and if the aspect does column"
              + " and row; all again until one does",
          "torchvision's RandomIoUCrop (SSD)",
          List.of(
              "random_iou_crop",
              "random_iou_crop=scale=0.5-1:tries=10",
              "random_iou_crop=aspect=0.75-1.5:overlaps=0.1/0.5/1"),
          RandomIouCrop::parse);

  /// Checks the numbers.
  public RandomIouCrop {
    Range _ = scale.within("random_iou_crop", "scale", 1e-3, 1);
    Range _ = aspect.within("random_iou_crop", "aspect", 1e-3, 1e3);
    overlaps = List.copyOf(overlaps);
    if (overlaps.stream().noneMatch(overlap -> overlap >= 1)
        || overlaps.stream().anyMatch(overlap -> !(overlap >= 0))) {
      throw new ConfigException(
          "random_iou_crop: overlaps %s, expected numbers from 0, and 1 among them: the whole image"
              .formatted(text(overlaps)));
    }
    if (tries < 1 || tries > 10_000) {
      throw new ConfigException("random_iou_crop: %d tries, expected 1 to 10000".formatted(tries));
    }
  }

  private static RandomIouCrop parse(Spec spec) {
    String overlaps = spec.option("overlaps");
    return new RandomIouCrop(
        Range.option(spec, "scale", SCALE),
        Range.option(spec, "aspect", ASPECT),
        overlaps == null
            ? OVERLAPS
            : Arrays.stream(overlaps.split("/", -1))
                .map(text -> spec.decimal("overlaps", text))
                .toList(),
        spec.optionNumber("tries", TRIES));
  }

  private static String text(List<Double> overlaps) {
    return overlaps.stream().map(StepText::number).collect(Collectors.joining("/"));
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
    var options = new StringBuilder();
    if (!scale.equals(SCALE)) {
      options.append(":scale=").append(scale.text());
    }
    if (!aspect.equals(ASPECT)) {
      options.append(":aspect=").append(aspect.text());
    }
    if (!overlaps.equals(OVERLAPS)) {
      options.append(":overlaps=").append(text(overlaps));
    }
    if (tries != TRIES) {
      options.append(":tries=").append(tries);
    }
    return "random_iou_crop" + (options.isEmpty() ? "" : "=" + options.substring(1));
  }

  @Override
  public void plan(Plan plan, CounterRandom random) {
    Boxes boxes = plan.boxes();
    for (int round = 0; round < MAX_ROUNDS; round++) {
      double overlap = overlaps.get(random.nextInt(overlaps.size()));
      if (overlap >= 1 || boxes.count() == 0 || tryCrops(plan, boxes, (float) overlap, random)) {
        return;
      }
    }
  }

  private boolean tryCrops(Plan plan, Boxes boxes, float overlap, CounterRandom random) {
    int height = plan.height();
    int width = plan.width();
    float least = (float) scale.least();
    float more = (float) (scale.greatest() - scale.least());
    for (int i = 0; i < tries; i++) {
      int w = (int) (width * (least + more * share(random)));
      int h = (int) (height * (least + more * share(random)));
      double ratio = (double) w / h;
      if (!(aspect.least() <= ratio && ratio <= aspect.greatest())) {
        continue;
      }
      int left = (int) ((width - w) * share(random));
      int top = (int) ((height - h) * share(random));
      if (w > 0 && h > 0 && overlaps(boxes, left, top, left + w, top + h, overlap)) {
        plan.centred(top, left, h, w);
        plan.crop(top, left, h, w);
        return true;
      }
    }
    return false;
  }

  /// {@return a number from 0 to 1, itself excluded, of 24 bits, as a float has them}
  private static float share(CounterRandom random) {
    return (random.nextLong() >>> 40) * 0x1.0p-24f;
  }

  /// {@return whether a box whose middle is in a window overlaps it enough}
  private static boolean overlaps(
      Boxes boxes, int left, int top, int right, int bottom, float least) {
    float window = (float) (right - left) * (bottom - top);
    for (int i = 0; i < boxes.count(); i++) {
      float x1 = boxes.edge(i, 0);
      float y1 = boxes.edge(i, 1);
      float x2 = boxes.edge(i, 2);
      float y2 = boxes.edge(i, 3);
      if (Plan.holdsMiddle(x1, y1, x2, y2, left, top, right, bottom)) {
        float across = Math.max(0, Math.min(x2, right) - Math.max(x1, left));
        float down = Math.max(0, Math.min(y2, bottom) - Math.max(y1, top));
        float shared = across * down;
        if (shared / ((x2 - x1) * (y2 - y1) + window - shared) >= least) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public @Nullable ImageSize size(@Nullable ImageSize size) {
    return null;
  }
}
