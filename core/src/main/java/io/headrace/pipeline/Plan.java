package io.headrace.pipeline;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.random.CounterRandom;
import java.util.Arrays;
import java.util.List;

/// The passes that one image needs, with all random numbers drawn.
///
/// Reused for every image. Draws are taken in the order of the steps: a crop takes its row, then
/// its column; a resized crop for each try its area, its aspect, and if it fits a row and a column;
/// a flip one number. A golden test pins them.
final class Plan {
  private static final int TRIES = 10;

  private final Step[] steps;
  private Stage[] stages = {new Stage()};
  private int count;

  Plan(List<Step> steps) {
    this.steps = steps.toArray(new Step[0]);
  }

  /// {@return number of passes, at least 1}
  int count() {
    return count;
  }

  /// {@return pass `i`, valid until the next image}
  Stage stage(int i) {
    return stages[i];
  }

  /// {@return the last pass, whose window is the sample}
  Stage last() {
    return stages[count - 1];
  }

  /// Plans one image.
  ///
  /// @param height rows of the image
  /// @param width columns of the image
  /// @param random at draw 0 of the sample's place
  /// @throws DecodeException with [Fault#LIMIT] if the image is too small to be cropped, or so long
  ///     and thin that resizing it goes beyond all bounds
  void set(int height, int width, CounterRandom random) throws DecodeException {
    count = 1;
    stages[0].reset(height, width);
    for (Step step : steps) {
      switch (step) {
        case Step.Resize(int h, int w) -> resize(h, w);
        case Step.ResizeShorter(int edge) -> resizeShorter(edge);
        case Step.CenterCrop(int h, int w) ->
            crop(middle(last().height, h), middle(last().width, w), h, w);
        case Step.RandomCrop(int h, int w) -> randomCrop(h, w, random);
        case Step.RandomResizedCrop crop -> randomResizedCrop(crop, random);
        case Step.RandomFlip(double probability) ->
            last().flipped ^= random.nextDouble() < probability;
        case Step.Normalize _, Step.Center _, Step.Cast _, Step.ToLayout _ -> {}
      }
    }
  }

  private void resize(int height, int width) throws DecodeException {
    Resampler.requireEdges(last().height, last().width);
    if (!last().resize(height, width)) {
      push();
      last().resize(height, width);
    }
  }

  private void crop(int y, int x, int height, int width) {
    if (!last().crop(y, x, height, width)) {
      push();
      last().crop(y, x, height, width);
    }
  }

  private void push() {
    int height = last().height;
    int width = last().width;
    if (count == stages.length) {
      stages = Arrays.copyOf(stages, count + 1);
      stages[count] = new Stage();
    }
    stages[count++].reset(height, width);
  }

  private void resizeShorter(int edge) throws DecodeException {
    int height = last().height;
    int width = last().width;
    long longer = ImageSize.longerSide(edge, Math.max(height, width), Math.min(height, width));
    if (longer > Integer.MAX_VALUE / 8) {
      throw new DecodeException(
          Fault.LIMIT,
          "an image of %d x %d pixels would be %d long, resized to a shorter side of %d"
              .formatted(height, width, longer, edge));
    }
    resize(height <= width ? edge : (int) longer, height <= width ? (int) longer : edge);
  }

  private void randomCrop(int h, int w, CounterRandom random) throws DecodeException {
    int height = last().height;
    int width = last().width;
    if (height < h || width < w) {
      throw new DecodeException(
          Fault.LIMIT,
          "an image of %d x %d pixels is smaller than random_crop=%dx%d"
              .formatted(height, width, h, w));
    }
    int y = random.nextInt(height - h + 1);
    int x = random.nextInt(width - w + 1);
    crop(y, x, h, w);
  }

  private void randomResizedCrop(Step.RandomResizedCrop step, CounterRandom random)
      throws DecodeException {
    int height = last().height;
    int width = last().width;
    if (last().flipped) {
      push(); // a mirrored image is resized mirrored, not mirrored afterwards
    }
    if (!tryCrops(step, height, width, random)) {
      middleCrop(step, height, width);
    }
    resize(step.height(), step.width());
  }

  private boolean tryCrops(
      Step.RandomResizedCrop step, int height, int width, CounterRandom random) {
    double area = (double) height * width;
    double low = StrictMath.log(step.minAspect()); // the same bits on every machine
    double high = StrictMath.log(step.maxAspect());
    for (int i = 0; i < TRIES; i++) {
      double target = area * between(step.minArea(), step.maxArea(), random.nextDouble());
      double aspect = StrictMath.exp(between(low, high, random.nextDouble()));
      int w = (int) Math.rint(Math.sqrt(target * aspect));
      int h = (int) Math.rint(Math.sqrt(target / aspect));
      if (0 < w && w <= width && 0 < h && h <= height) {
        int y = random.nextInt(height - h + 1);
        int x = random.nextInt(width - w + 1);
        crop(y, x, h, w);
        return true;
      }
    }
    return false;
  }

  private void middleCrop(Step.RandomResizedCrop step, int height, int width) {
    double aspect = (double) width / height;
    int h = height;
    int w = width;
    if (aspect < step.minAspect()) {
      h = (int) Math.rint(w / step.minAspect());
    } else if (aspect > step.maxAspect()) {
      w = (int) Math.rint(h * step.maxAspect());
    }
    h = Math.clamp(h, 1, height);
    w = Math.clamp(w, 1, width);
    crop((height - h) / 2, (width - w) / 2, h, w);
  }

  private static double between(double low, double high, double share) {
    return low + (high - low) * share;
  }

  /// {@return where a middle window starts; negative where it overhangs}
  private static int middle(int extent, int window) {
    return window > extent
        ? -((window - extent) / 2)
        : (int) Math.rint((extent - window) / 2.0); // halves to even, as Python rounds
  }
}
