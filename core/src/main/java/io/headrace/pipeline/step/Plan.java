package io.headrace.pipeline.step;

import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.pipeline.resize.Resampler;
import io.headrace.pipeline.resize.Stage;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The passes that one image needs, with all random numbers drawn. A pass reads a box, resizes it,
/// cuts out a window and mirrors it; then come effects on its pixels.
///
/// Reused for every image. Draws are taken in the order of the steps, whatever the order in which
/// the work is then done: a window is cut out, and mirrored, before effects on single pixels that
/// stand before it, since that gives the same pixels.
public final class Plan implements EffectList {
  private final PixelStep[] steps;

  /// Whether a step on values stands before each step.
  private final boolean[] valued;

  private boolean onValues;
  private Stage[] stages = {new Stage()};

  /// Where the effects of each pass end; those of the next begin there.
  private int[] ends = {0};

  /// Whether a pass was cut or mirrored before effects that stand before it.
  private boolean[] late = {false};

  private int count = 1;
  private int view;
  private Boxes boxes = new Boxes();

  /// The window in which the middle of a box must be, in pixels of the image; no rows for none.
  private int centredTop;

  private int centredLeft;
  private int centredHeight;
  private int centredWidth;

  private Drawn[] effects = new Drawn[0];
  private int effectCount;

  /// Effects on the finished sample.
  private final Drawn finishing = new Drawn();

  /// The plan of steps none of which is done yet.
  ///
  /// @param steps of a pipeline; those that are not on pixels are left out
  public Plan(List<? extends Step> steps) {
    this(steps, 0);
  }

  /// @param steps of a pipeline; those that are not on pixels are left out
  /// @param done how many of the first ones were done before
  public Plan(List<? extends Step> steps, int done) {
    List<PixelStep> left = new ArrayList<>();
    List<Boolean> after = new ArrayList<>();
    boolean value = false;
    for (int i = 0; i < steps.size(); i++) {
      if (i >= done && steps.get(i) instanceof PixelStep step) {
        left.add(step);
        after.add(value);
      }
      value |= steps.get(i) instanceof ValueStep;
    }
    this.steps = left.toArray(new PixelStep[0]);
    valued = new boolean[after.size()];
    for (int i = 0; i < valued.length; i++) {
      valued[i] = after.get(i);
    }
  }

  /// {@return number of passes, at least 1}
  public int count() {
    return count;
  }

  /// {@return pass `i`, valid until the next image}
  public Stage stage(int i) {
    return stages[i];
  }

  /// {@return the last pass, whose window is the sample}
  public Stage last() {
    return stages[count - 1];
  }

  /// {@return index of the first effect after pass `i`}
  public int begin(int i) {
    return i == 0 ? 0 : ends[i - 1];
  }

  /// {@return index after the last effect after pass `i`}
  public int end(int i) {
    return ends[i];
  }

  /// {@return an effect, valid until the next image}
  public Drawn effect(int i) {
    return effects[i];
  }

  /// {@return effects on the finished sample, as parts}
  public Drawn finishing() {
    return finishing;
  }

  /// {@return whether effects of pass `i` stand before its window or mirroring}
  public boolean late(int i) {
    return late[i];
  }

  /// {@return rows of the image after the steps so far}
  public int height() {
    return last().height;
  }

  /// {@return columns of the image after the steps so far}
  public int width() {
    return last().width;
  }

  /// {@return which view of the image is planned; 0 for the first, or only one}
  public int view() {
    return view;
  }

  /// Says which view of the images to come is planned.
  public void view(int number) {
    view = number;
  }

  /// {@return the boxes of the image; none if nobody sets them}
  public Boxes boxes() {
    return boxes;
  }

  /// Has steps see boxes that somebody else sets before each image.
  public void boxes(Boxes shared) {
    boxes = shared;
  }

  /// Says that boxes whose middle is not in a window are to be emptied.
  public void centred(int top, int left, int height, int width) {
    centredTop = top;
    centredLeft = left;
    centredHeight = height;
    centredWidth = width;
  }

  /// {@return whether a box, in pixels of the image, is to be emptied}
  public boolean empties(float left, float top, float right, float bottom) {
    return centredHeight > 0
        && !holdsMiddle(
            left,
            top,
            right,
            bottom,
            centredLeft,
            centredTop,
            centredLeft + centredWidth,
            centredTop + centredHeight);
  }

  /// {@return whether the middle of a box is in a window, not on its edge}
  public static boolean holdsMiddle(
      float x1, float y1, float x2, float y2, int left, int top, int right, int bottom) {
    float x = 0.5f * (x1 + x2);
    float y = 0.5f * (y1 + y2);
    return left < x && x < right && top < y && y < bottom;
  }

  /// Plans one image.
  ///
  /// @param height rows of the image
  /// @param width columns of the image
  /// @param random at draw 0 of the sample's place
  /// @throws DecodeException with [Fault#LIMIT] if the image is too small to be cropped, or so long
  ///     and thin that resizing it goes beyond all bounds
  public void set(int height, int width, CounterRandom random) throws DecodeException {
    count = 1;
    centredHeight = 0;
    effectCount = 0;
    ends[0] = 0;
    late[0] = false;
    finishing.become(finishing.effect());
    stages[0].reset(height, width);
    for (int i = 0; i < steps.length; i++) {
      onValues = valued[i];
      steps[i].plan(this, random);
    }
  }

  /// Resizes.
  ///
  /// @throws DecodeException with [Fault#LIMIT] if the image is too long
  public void resize(int height, int width) throws DecodeException {
    Resampler.requireEdges(height(), width());
    if (height == height() && width == width()) {
      return;
    }
    if (hasEffects() || !last().resize(height, width)) {
      push();
      last().resize(height, width);
    }
  }

  /// Cuts out a window, which may overhang: zeros then surround the image.
  public void crop(int y, int x, int height, int width) {
    if (y == 0 && x == 0 && height == height() && width == width()) {
      return;
    }
    boolean inside = y >= 0 && x >= 0 && y + height <= height() && x + width <= width();
    boolean moves = !hasEffects() || (inside && onlyRows());
    boolean effects = hasEffects();
    if (moves && last().crop(y, x, height, width)) {
      late[count - 1] |= effects;
      return;
    }
    push();
    last().crop(y, x, height, width);
  }

  /// Mirrors left and right.
  public void mirror() {
    moveOrPush();
    last().flipped ^= true;
  }

  /// Turns upside down.
  public void upend() {
    moveOrPush();
    last().upended ^= true;
  }

  private void moveOrPush() {
    if (hasEffects()) {
      if (onlyRows()) {
        late[count - 1] = true;
      } else {
        push();
      }
    }
  }

  /// Sees to it that what follows works on an image that is not mirrored any more: a mirrored image
  /// is resized mirrored, not mirrored afterwards.
  public void settle() {
    if (last().flipped || last().upended) {
      push();
    }
  }

  @Override
  public Drawn add(Effect effect) {
    if (effectCount == effects.length) {
      effects = Arrays.copyOf(effects, effectCount + 4);
      for (int i = effectCount; i < effects.length; i++) {
        effects[i] = new Drawn();
      }
    }
    ends[count - 1] = effectCount + 1;
    return effects[effectCount++].become(effect);
  }

  /// {@return whether the step that is being planned stands after steps on values}
  public boolean onValues() {
    return onValues;
  }

  /// Adds an effect on the finished sample.
  ///
  /// @return the effect, whose numbers are to be set
  public Drawn finish(SampleEffect effect) {
    return finishing.add(effect);
  }

  private boolean hasEffects() {
    return begin(count - 1) < end(count - 1);
  }

  /// {@return whether all effects of the last pass are on single pixels}
  private boolean onlyRows() {
    for (int i = begin(count - 1); i < end(count - 1); i++) {
      if (!(effects[i].effect() instanceof RowEffect)) {
        return false;
      }
    }
    return true;
  }

  private void push() {
    int height = height();
    int width = width();
    if (count == stages.length) {
      stages = Arrays.copyOf(stages, count + 1);
      ends = Arrays.copyOf(ends, count + 1);
      late = Arrays.copyOf(late, count + 1);
      stages[count] = new Stage();
    }
    ends[count] = ends[count - 1];
    late[count] = false;
    stages[count++].reset(height, width);
  }

  /// {@return what to throw for an image that is beyond all bounds}
  public static DecodeException limit(String what) {
    return new DecodeException(Fault.LIMIT, what);
  }
}
