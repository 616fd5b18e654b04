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
import io.headrace.pipeline.resize.Stage;
import io.headrace.pipeline.step.Applies;
import io.headrace.pipeline.step.Plan;
import io.headrace.pipeline.step.Step;
import io.headrace.random.CounterRandom;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What belongs to an image moves as the image does: the same crops, sizes and mirrorings, with the
/// same draws. A mask takes the nearest pixel, boxes are scaled and clipped. One per worker.
///
/// Source of the nearest pixel: `nearest` of `upsample` in PyTorch's `aten/native/UpSample.h`, by
/// which torchvision v2 resizes `tv_tensors.Mask`; of boxes: `resize`, `crop` and
/// `horizontal_flip_bounding_boxes` of its `transforms/v2/functional/_geometry.py`.
public final class PairedGeometry implements AutoCloseable {
  /// Steps on places that are rows and columns cut out, resized and mirrored.
  private static final Set<String> FOLLOWED =
      Set.of(
          "resize",
          "resize_shorter",
          "center_crop",
          "random_crop",
          "random_resized_crop",
          "flip",
          "vertical_flip");

  private final Plan plan;
  private final CounterRandom random = new CounterRandom();
  private final Block stored;
  private @Nullable PngDecoder png;
  private final MemoryBudget budget;
  private int height;
  private int width;
  private int[] rows = new int[0];
  private int[] columns = new int[0];

  /// @param budget for a decoded mask
  /// @throws ConfigException if a step moves pixels in a way that masks and boxes cannot follow
  public PairedGeometry(Pipeline pipeline, MemoryBudget budget) {
    requireFollowed(pipeline);
    this.budget = budget;
    plan = new Plan(pipeline.steps());
    stored = new Block(budget);
  }

  /// Checks that masks and boxes can follow a pipeline.
  ///
  /// @throws ConfigException if a step moves pixels in a way that they cannot
  public static void requireFollowed(Pipeline pipeline) {
    for (Step step : pipeline.steps()) {
      if (step.kind().applies() == Applies.PLACES && !FOLLOWED.contains(step.kind().name())) {
        throw new ConfigException(
            "step '%s': masks and boxes do not follow it; leave out the step, or ask for the field as bytes"
                .formatted(step.spec()));
      }
    }
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
          stage.upended,
          stage.height,
          stage.top,
          stage.resizedHeight,
          stage.boxTop,
          stage.boxHeight);
      trace(
          columns,
          stage.flipped,
          stage.width,
          stage.left,
          stage.resizedWidth,
          stage.boxLeft,
          stage.boxWidth);
    }
  }

  /// Goes from what comes out of a pass back to what goes in, along one axis.
  ///
  /// @param places of pixels; -1 for those outside the image
  private static void trace(
      int[] places, boolean mirrored, int extent, int start, int resized, int box, int boxExtent) {
    float scale = (float) boxExtent / resized;
    for (int i = 0; i < places.length; i++) {
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
    long at = 0;
    for (int row : rows) {
      for (int column : columns) {
        int value = outside;
        if (row >= 0 && column >= 0) {
          long from = (long) row * width + column;
          value =
              depth == 1
                  ? numbers.get(JAVA_BYTE, from) & 0xff
                  : numbers.get(JAVA_SHORT_UNALIGNED, 2 * from) & 0xffff;
        }
        if (bytes == 1) {
          slot.set(JAVA_BYTE, at, (byte) value);
        } else {
          slot.set(JAVA_SHORT_UNALIGNED, at, (short) value);
        }
        at += bytes;
      }
    }
  }

  /// Processes boxes in place: float32, in pixels of the image before the pipeline, and of its
  /// result then. What is outside the result is cut off; a box that is all outside has no area.
  ///
  /// @param boxes [count, 4]: left, top, right, bottom
  /// @param sized whether they are left, top, width, height instead
  public void boxes(MemorySegment boxes, long count, boolean sized) {
    for (long i = 0; i < 4 * count; i += 4) {
      float left = boxes.getAtIndex(JAVA_FLOAT_UNALIGNED, i);
      float top = boxes.getAtIndex(JAVA_FLOAT_UNALIGNED, i + 1);
      float right = boxes.getAtIndex(JAVA_FLOAT_UNALIGNED, i + 2) + (sized ? left : 0);
      float bottom = boxes.getAtIndex(JAVA_FLOAT_UNALIGNED, i + 3) + (sized ? top : 0);
      for (int p = 0; p < plan.count(); p++) {
        Stage stage = plan.stage(p);
        float across = (float) stage.resizedWidth / stage.boxWidth;
        float down = (float) stage.resizedHeight / stage.boxHeight;
        left = place(left, stage.boxLeft, stage.resizedWidth, across, stage.left, stage.width);
        right = place(right, stage.boxLeft, stage.resizedWidth, across, stage.left, stage.width);
        top = place(top, stage.boxTop, stage.resizedHeight, down, stage.top, stage.height);
        bottom = place(bottom, stage.boxTop, stage.resizedHeight, down, stage.top, stage.height);
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
      }
      boxes.setAtIndex(JAVA_FLOAT_UNALIGNED, i, left);
      boxes.setAtIndex(JAVA_FLOAT_UNALIGNED, i + 1, top);
      boxes.setAtIndex(JAVA_FLOAT_UNALIGNED, i + 2, sized ? right - left : right);
      boxes.setAtIndex(JAVA_FLOAT_UNALIGNED, i + 3, sized ? bottom - top : bottom);
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
