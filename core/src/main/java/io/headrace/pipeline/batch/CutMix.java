package io.headrace.pipeline.batch;

import io.headrace.memory.Layout;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.BatchStep;
import io.headrace.pipeline.step.StepKind;
import io.headrace.pipeline.step.StepText;
import io.headrace.random.CounterRandom;
import io.headrace.spec.Spec;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Puts a window of the sample before it into every sample, all at one place: `cutmix=1`.
///
/// The window's share of the area is `1 - w` with `w` drawn from Beta(alpha, alpha); its middle is
/// uniform over the image, what overhangs is cut off, and the weight is then that of the area that
/// is left. Source: Yun and others, "CutMix: regularization strategy to train strong classifiers
/// with localizable features", 2019; `CutMix` of torchvision's `transforms/v2/_augment.py`.
///
/// @param alpha above 0
public record CutMix(double alpha) implements BatchStep {
  /// The kind of step.
  public static final StepKind KIND =
      new StepKind(
          "cutmix",
          "cutmix=ALPHA",
          Applies.BATCH,
          "Puts a window of the sample before it into every sample; labels become weights.",
          "for the batch a weight from Beta(ALPHA, ALPHA), column and row of the window's middle",
          "torchvision's CutMix",
          List.of("cutmix=1", "cutmix=0.5"),
          CutMix::parse);

  /// Checks the number.
  public CutMix {
    MixUp.requireAlpha("cutmix", alpha);
  }

  private static CutMix parse(Spec spec) {
    return new CutMix(spec.decimal("alpha", StepText.required(spec)));
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
    return "cutmix=" + StepText.number(alpha);
  }

  @Override
  public double mix(Samples batch, CounterRandom random) {
    double weight = random.nextBeta(alpha);
    int middleX = random.nextInt(batch.width());
    int middleY = random.nextInt(batch.height());
    double half = 0.5 * Math.sqrt(1 - weight);
    int halfWidth = (int) (half * batch.width());
    int halfHeight = (int) (half * batch.height());
    int left = Math.max(0, middleX - halfWidth);
    int top = Math.max(0, middleY - halfHeight);
    int right = Math.min(batch.width(), middleX + halfWidth);
    int bottom = Math.min(batch.height(), middleY + halfHeight);
    long bytes = batch.bytes();
    int last = batch.count() - 1;
    MemorySegment.copy(batch.data(), last * bytes, batch.spare(), 0, bytes);
    for (int i = last; i >= 0; i--) {
      MemorySegment from = i == 0 ? batch.spare() : batch.data();
      paste(batch, from, i == 0 ? 0 : (i - 1) * bytes, i * bytes, left, top, right, bottom);
    }
    double area = (double) (right - left) * (bottom - top);
    return 1 - area / ((double) batch.width() * batch.height());
  }

  private static void paste(
      Samples batch,
      MemorySegment from,
      long source,
      long target,
      int left,
      int top,
      int right,
      int bottom) {
    boolean planes = batch.layout() == Layout.CHW;
    long pixel = (planes ? 1L : 3L) * batch.dtype().bytes();
    for (int plane = 0; plane < (planes ? 3 : 1); plane++) {
      for (int y = top; y < bottom; y++) {
        long at = (((long) plane * batch.height() + y) * batch.width() + left) * pixel;
        MemorySegment.copy(from, source + at, batch.data(), target + at, (right - left) * pixel);
      }
    }
  }
}
