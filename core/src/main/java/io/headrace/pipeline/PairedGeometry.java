package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.headrace.codec.ImageInfo;
import io.headrace.codec.ImageLimits;
import io.headrace.codec.png.PngDecoder;
import io.headrace.error.ConfigException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.geometry.Warp;
import io.headrace.pipeline.policy.AugMix;
import io.headrace.pipeline.resize.Stage;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Boxes;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Step;
import io.headrace.random.CounterRandom;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What belongs to an image moves as the image does: the same crops, sizes, mirrorings and warps,
/// with the same draws. A mask takes the nearest pixel, boxes are moved and clipped, points are
/// moved. One per worker.
///
/// Source of the nearest pixel: `nearest` of `upsample` in PyTorch's `aten/native/UpSample.h`, by
/// which torchvision v2 resizes `tv_tensors.Mask`; of boxes: `resize`, `crop` and
/// `horizontal_flip_bounding_boxes` of its `transforms/v2/functional/_geometry.py`.
public final class PairedGeometry implements AutoCloseable {
  private final Plan plan;
  private final CounterRandom random = new CounterRandom();
  private final Block stored;
  private @Nullable PngDecoder png;
  private final MemoryBudget budget;
  private int height;
  private int width;
  private int[] rows = new int[0];
  private int[] columns = new int[0];

  /// Whether a place is not one of a row and a column of the image: [#places] then says of which
  /// pixel each of the result is, -1 for none.
  private boolean warped;

  private int[] places = new int[0];
  private int[] spare = new int[0];
  private final int[][] axes = new int[2][0];
  private int[] kept = new int[0];
  private long dropped;
  private final double[] corner = new double[2];
  private final double[] bounds = new double[4];

  /// @param budget for a decoded mask
  /// @throws ConfigException if a step moves pixels in a way that masks and boxes cannot follow
  public PairedGeometry(Pipeline pipeline, MemoryBudget budget) {
    requireFollowed(pipeline);
    this.budget = budget;
    plan = pipeline.plan();
    stored = new Block(budget);
  }

  /// Checks that masks and boxes can follow a pipeline.
  ///
  /// @throws ConfigException if a step moves pixels in a way that they cannot
  public static void requireFollowed(Pipeline pipeline) {
    List<Step> steps = pipeline.steps();
    for (int i = 0; i < steps.size(); i++) {
      boolean ahead = i < pipeline.done() && steps.get(i).kind().applies() == Applies.PLACES;
      if (ahead || steps.get(i) instanceof AugMix) {
        throw new ConfigException(
            "step '%s'%s: masks and boxes do not follow it; leave out the step, or ask for the field as bytes"
                .formatted(steps.get(i).spec(), ahead ? ", done ahead" : ""));
      }
    }
  }

  /// Has the steps see boxes that somebody else sets before each image.
  public void boxes(Boxes shared) {
    plan.boxes(shared);
  }

  /// Begins with another image: draws what the pipeline drew for it.
  ///
  /// @param imageHeight rows of the image before the pipeline
  /// @param imageWidth columns of it
  /// @param seed of the run
  /// @param epoch from 0
  /// @param sampleId the sample's own number
  /// @throws DecodeException as [SampleProcessor#process]
  public void set(int imageHeight, int imageWidth, long seed, long epoch, long sampleId)
      throws DecodeException {
    height = imageHeight;
    width = imageWidth;
    random.reset(seed, epoch, sampleId);
    plan.set(height, width, random);
    Stage last = plan.last();
    warped = warps();
    if (warped) {
      map();
      return;
    }
    if (rows.length != last.height || columns.length != last.width) {
      rows = new int[last.height];
      columns = new int[last.width];
    }
    Arrays.setAll(rows, y -> y);
    Arrays.setAll(columns, x -> x);
    for (int i = plan.count() - 1; i >= 0; i--) {
      Stage stage = plan.stage(i);
      trace(
          rows,
          rows.length,
          stage.upended,
          stage.height,
          stage.top,
          stage.resizedHeight,
          stage.boxTop,
          stage.boxHeight);
      trace(
          columns,
          columns.length,
          stage.flipped,
          stage.width,
          stage.left,
          stage.resizedWidth,
          stage.boxLeft,
          stage.boxWidth);
    }
  }

  private boolean warps() {
    for (int i = 0; i < plan.end(plan.count() - 1); i++) {
      if (plan.effect(i).effect() == Warp.WARP) {
        return true;
      }
    }
    return false;
  }

  /// Follows every pixel of the result to the image's pixel that it comes from.
  private void map() {
    boolean first = true;
    for (int i = 0; i < plan.count(); i++) {
      Stage stage = plan.stage(i);
      int[] down = axis(0, stage.height);
      int[] across = axis(1, stage.width);
      trace(
          down,
          stage.height,
          stage.upended,
          stage.height,
          stage.top,
          stage.resizedHeight,
          stage.boxTop,
          stage.boxHeight);
      trace(
          across,
          stage.width,
          stage.flipped,
          stage.width,
          stage.left,
          stage.resizedWidth,
          stage.boxLeft,
          stage.boxWidth);
      int[] to = room(stage.height * stage.width);
      for (int y = 0; y < stage.height; y++) {
        for (int x = 0; x < stage.width; x++) {
          int at = down[y] < 0 || across[x] < 0 ? -1 : down[y] * stage.inWidth + across[x];
          to[y * stage.width + x] = first || at < 0 ? at : places[at];
        }
      }
      swap();
      first = false;
      for (int e = plan.begin(i); e < plan.end(i); e++) {
        if (plan.effect(e).effect() == Warp.WARP) {
          warp(plan.effect(e), stage.height, stage.width);
        }
      }
    }
  }

  private void warp(Drawn drawn, int rowsOut, int columnsOut) {
    int[] to = room(rowsOut * columnsOut);
    int[] nearest = axis(1, columnsOut);
    for (int y = 0; y < rowsOut; y++) {
      Warp.nearest(drawn, y, rowsOut, columnsOut, nearest);
      for (int x = 0; x < columnsOut; x++) {
        to[y * columnsOut + x] = nearest[x] < 0 ? -1 : places[nearest[x]];
      }
    }
    swap();
  }

  /// {@return numbers from 0 on}
  private int[] axis(int which, int extent) {
    if (axes[which].length < extent) {
      axes[which] = new int[extent];
    }
    for (int i = 0; i < extent; i++) {
      axes[which][i] = i;
    }
    return axes[which];
  }

  private int[] room(int pixels) {
    if (spare.length < pixels) {
      spare = new int[pixels];
    }
    return spare;
  }

  private void swap() {
    int[] old = places;
    places = spare;
    spare = old;
  }

  /// Goes from what comes out of a pass back to what goes in, along one axis.
  ///
  /// @param places of pixels; -1 for those outside the image
  private static void trace(
      int[] places,
      int count,
      boolean mirrored,
      int extent,
      int start,
      int resized,
      int box,
      int boxExtent) {
    float scale = (float) boxExtent / resized;
    for (int i = 0; i < count; i++) {
      int out = places[i];
      if (out < 0) {
        continue;
      }
      int at = start + (mirrored ? extent - 1 - out : out);
      boolean outside = at < 0 || at >= resized;
      places[i] = outside ? -1 : box + Math.min((int) (at * scale), boxExtent - 1);
    }
  }

  /// Processes a mask: a PNG of one channel, whose numbers stay as they are stored.
  ///
  /// @param encoded the PNG, of the image's size
  /// @param outside the number that stands outside the image, where a window overhangs
  /// @param bytes of a number in the result: 1 or 2
  /// @param slot [height, width] of the pipeline's result
  /// @throws DecodeException if it is damaged, of several channels or of another size than the
  ///     image, or has 16 bits where `bytes` is 1
  public void mask(MemorySegment encoded, int outside, int bytes, MemorySegment slot)
      throws DecodeException {
    PngDecoder decoder = png;
    if (decoder == null) {
      decoder = new PngDecoder(budget, ImageLimits.MAX_PIXELS);
      png = decoder;
    }
    ImageInfo info = decoder.probe(encoded);
    if (info.height() != height || info.width() != width) {
      throw new DecodeException(
          Fault.MISMATCH,
          "a mask of %d x %d pixels beside an image of %d x %d (width x height)"
              .formatted(info.width(), info.height(), width, height));
    }
    int depth = info.bitDepth() == 16 ? 2 : 1;
    if (depth > bytes) {
      throw new DecodeException(Fault.MISMATCH, "a mask of 16 bits: ask for it as mask:uint16");
    }
    MemorySegment numbers = stored.ensure((long) depth * height * width);
    decoder.decodeNumbers(encoded, info, numbers);
    Stage last = plan.last();
    for (int y = 0; y < last.height; y++) {
      for (int x = 0; x < last.width; x++) {
        int pixel = y * last.width + x;
        int from;
        if (warped) {
          from = places[pixel];
        } else {
          from = rows[y] < 0 || columns[x] < 0 ? -1 : rows[y] * width + columns[x];
        }
        int value = outside;
        if (from >= 0) {
          value =
              depth == 1
                  ? numbers.get(JAVA_BYTE, from) & 0xff
                  : numbers.get(JAVA_SHORT_UNALIGNED, 2L * from) & 0xffff;
        }
        if (bytes == 1) {
          slot.set(JAVA_BYTE, pixel, (byte) value);
        } else {
          slot.set(JAVA_SHORT_UNALIGNED, 2L * pixel, (short) value);
        }
      }
    }
  }

  /// Processes boxes in place: float32, in pixels of the image before the pipeline, and of its
  /// result then. What is outside the result is cut off; a box that is all outside has no area. A
  /// box that is turned becomes the upright one around it.
  ///
  /// @param boxes [count, 4]: left, top, right, bottom
  /// @param sized whether they are left, top, width, height instead
  public void boxes(MemorySegment boxes, long count, boolean sized) {
    for (long i = 0; i < count; i++) {
      double _ = box(boxes, 4 * i, 4 * i, sized);
    }
  }

  /// Processes boxes as [#boxes(MemorySegment, long, boolean)], and leaves out those of which too
  /// little is left: the others move together, see [#kept].
  ///
  /// @param least share of a box's area that must be within the result; what has no area is always
  ///     left out
  /// @return how many are kept
  public int boxes(MemorySegment boxes, int count, boolean sized, double least) {
    begin(count);
    int n = 0;
    for (int i = 0; i < count; i++) {
      double share = box(boxes, 4L * i, 4L * n, sized);
      if (share > 0 && share >= least) {
        kept[n++] = i;
      }
    }
    dropped += count - n;
    return n;
  }

  /// Processes points in place: float32, column and row by the number of a pixel, 0 for the first,
  /// as torchvision's `KeyPoints`.
  ///
  /// @param points [count, stride], of which the first two of each row are a point's place; others
  ///     move with them
  /// @param drop whether points outside the result are left out, see [#kept]; else they are moved
  ///     to its edge
  /// @return how many are kept
  public int points(MemorySegment points, int count, int stride, boolean drop) {
    begin(count);
    int n = 0;
    Stage last = plan.last();
    for (int i = 0; i < count; i++) {
      long at = (long) i * stride;
      corner[0] = points.getAtIndex(JAVA_FLOAT_UNALIGNED, at);
      corner[1] = points.getAtIndex(JAVA_FLOAT_UNALIGNED, at + 1);
      movePoint();
      double x = Math.clamp(corner[0], 0, last.width - 1.0);
      double y = Math.clamp(corner[1], 0, last.height - 1.0);
      if (drop && (x != corner[0] || y != corner[1])) {
        continue;
      }
      long to = (long) n * stride;
      points.setAtIndex(JAVA_FLOAT_UNALIGNED, to, (float) x);
      points.setAtIndex(JAVA_FLOAT_UNALIGNED, to + 1, (float) y);
      for (int rest = 2; rest < stride; rest++) {
        points.setAtIndex(
            JAVA_FLOAT_UNALIGNED, to + rest, points.getAtIndex(JAVA_FLOAT_UNALIGNED, at + rest));
      }
      kept[n++] = i;
    }
    dropped += count - n;
    return n;
  }

  /// {@return the number that a kept box or point had before, so that what belongs to it can be
  ///     kept too}
  ///
  /// @param i from 0, below what [#boxes(MemorySegment, int, boolean, double)] or [#points]
  ///     returned
  public int kept(int i) {
    return kept[i];
  }

  /// {@return boxes and points left out so far}
  public long dropped() {
    return dropped;
  }

  private void begin(int count) {
    if (kept.length < count) {
      kept = new int[count];
    }
  }

  private void movePoint() {
    for (int p = 0; p < plan.count(); p++) {
      Stage stage = plan.stage(p);
      double x = (corner[0] - stage.boxLeft) * stage.resizedWidth / stage.boxWidth - stage.left;
      double y = (corner[1] - stage.boxTop) * stage.resizedHeight / stage.boxHeight - stage.top;
      corner[0] = stage.flipped ? stage.width - 1 - x : x;
      corner[1] = stage.upended ? stage.height - 1 - y : y;
      for (int e = plan.begin(p); e < plan.end(p); e++) {
        if (plan.effect(e).effect() == Warp.WARP) {
          Warp.move(plan.effect(e), corner);
        }
      }
    }
  }

  /// Processes one box.
  ///
  /// @param from index of its first number
  /// @param to index of the first number of the result
  /// @return the share of its area that is within the result
  private double box(MemorySegment boxes, long from, long to, boolean sized) {
    float left = boxes.getAtIndex(JAVA_FLOAT_UNALIGNED, from);
    float top = boxes.getAtIndex(JAVA_FLOAT_UNALIGNED, from + 1);
    float right = boxes.getAtIndex(JAVA_FLOAT_UNALIGNED, from + 2) + (sized ? left : 0);
    float bottom = boxes.getAtIndex(JAVA_FLOAT_UNALIGNED, from + 3) + (sized ? top : 0);
    if (plan.empties(left, top, right, bottom)) {
      boxes.asSlice(to * Float.BYTES, 4 * Float.BYTES).fill((byte) 0);
      return 0;
    }
    double share = right > left && bottom > top ? 1 : 0;
    for (int p = 0; p < plan.count(); p++) {
      Stage stage = plan.stage(p);
      float across = (float) stage.resizedWidth / stage.boxWidth;
      float down = (float) stage.resizedHeight / stage.boxHeight;
      double whole = (double) (right - left) * across * (bottom - top) * down;
      left = place(left, stage.boxLeft, stage.resizedWidth, across, stage.left, stage.width);
      right = place(right, stage.boxLeft, stage.resizedWidth, across, stage.left, stage.width);
      top = place(top, stage.boxTop, stage.resizedHeight, down, stage.top, stage.height);
      bottom = place(bottom, stage.boxTop, stage.resizedHeight, down, stage.top, stage.height);
      share *= whole > 0 ? (double) (right - left) * (bottom - top) / whole : 0;
      if (stage.flipped) {
        float mirrored = stage.width - right;
        right = stage.width - left;
        left = mirrored;
      }
      if (stage.upended) {
        float mirrored = stage.height - bottom;
        bottom = stage.height - top;
        top = mirrored;
      }
      for (int e = plan.begin(p); e < plan.end(p); e++) {
        if (plan.effect(e).effect() == Warp.WARP) {
          around(plan.effect(e), left, top, right, bottom);
          double turned = (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]);
          left = (float) Math.clamp(bounds[0], 0, stage.width);
          top = (float) Math.clamp(bounds[1], 0, stage.height);
          right = (float) Math.clamp(bounds[2], 0, stage.width);
          bottom = (float) Math.clamp(bounds[3], 0, stage.height);
          share *= turned > 0 ? (double) (right - left) * (bottom - top) / turned : 0;
        }
      }
    }
    boxes.setAtIndex(JAVA_FLOAT_UNALIGNED, to, left);
    boxes.setAtIndex(JAVA_FLOAT_UNALIGNED, to + 1, top);
    boxes.setAtIndex(JAVA_FLOAT_UNALIGNED, to + 2, sized ? right - left : right);
    boxes.setAtIndex(JAVA_FLOAT_UNALIGNED, to + 3, sized ? bottom - top : bottom);
    return share;
  }

  /// Finds the bounds of a box that is warped.
  private void around(Drawn warp, double left, double top, double right, double bottom) {
    bounds[0] = Double.POSITIVE_INFINITY;
    bounds[1] = Double.POSITIVE_INFINITY;
    bounds[2] = Double.NEGATIVE_INFINITY;
    bounds[3] = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < 4; i++) {
      corner[0] = i % 2 == 0 ? left : right;
      corner[1] = i < 2 ? top : bottom;
      Warp.move(warp, corner);
      bounds[0] = Math.min(bounds[0], corner[0]);
      bounds[1] = Math.min(bounds[1], corner[1]);
      bounds[2] = Math.max(bounds[2], corner[0]);
      bounds[3] = Math.max(bounds[3], corner[1]);
    }
  }

  /// {@return where a coordinate comes to lie in a pass, within the box that is read and within the
  ///     window}
  private static float place(float at, int box, int resized, float scale, int start, int extent) {
    float inside = Math.clamp((at - box) * scale, 0f, (float) resized);
    return Math.clamp(inside - start, 0f, (float) extent);
  }

  @Override
  public void close() {
    stored.close();
    if (png != null) {
      png.close();
    }
  }
}
