package io.headrace.pipeline.resize;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.ImageSize;
import io.headrace.codec.Region;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Resizes RGB images as Pillow's `Image.resize(…, Image.Resampling.BILINEAR)` does, bit for bit.
///
/// The filter is a triangle that widens when shrinking, so nothing aliases. Columns are resized
/// first and rounded to 8 bits, then rows. Source: `ImagingResampleHorizontal_8bpc` and
/// `ImagingResampleVertical_8bpc` of Pillow's `src/libImaging/Resample.c`. Only the pixels of a
/// box are read, as if it had been cropped before.
///
/// Three things make it fast. Two rows go through the first pass at once, one in each half of a
/// long, since a sum stays below 2³⁰. The second pass runs along rows, so that the JIT vectorises
/// it. A ring holds the few rows that it needs.
///
/// Confined to one thread, and reused: it allocates nothing but what larger images need.
public final class Resampler {
  /// The most columns or rows that are resized: each takes some 60 bytes of heap.
  private static final int MAX_EDGE = 1 << 20;

  private final Taps across = new Taps();
  private final Taps down = new Taps();
  private final RowSink rgb = new RowSink(Values.PIXELS);
  private final Stage stage = new Stage();
  private byte[] upper = new byte[0];
  private byte[] lower = new byte[0];
  private long[] pair = new long[0];
  private int[] sums = new int[0];
  private int[][] ring = new int[0][];

  /// Columns of the box that any output of the row needs.
  private int firstColumn;

  private int endColumn;

  /// A resampler without buffers yet.
  public Resampler() {}

  /// Limits what is resized to a size that no camera's picture reaches.
  ///
  /// @throws DecodeException with [Fault#LIMIT] if it is longer
  public static void requireEdges(int height, int width) throws DecodeException {
    if (Math.max(height, width) > MAX_EDGE) {
      throw new DecodeException(
          Fault.LIMIT,
          "%d x %d pixels are not resized: at most %d a side are taken"
              .formatted(width, height, MAX_EDGE));
    }
  }

  /// Resizes a whole image.
  ///
  /// @param source uint8 [height, width, 3], rows packed
  /// @param from extents of `source`
  /// @param target uint8 [height, width, 3], rows packed; must not overlap `source`
  /// @param to extents of `target`
  /// @throws IndexOutOfBoundsException if a segment is smaller than its extents say
  public void resize(MemorySegment source, ImageSize from, MemorySegment target, ImageSize to) {
    resize(source, from, 0, 0, from, target, to);
  }

  /// Crops, then resizes.
  ///
  /// @param source uint8 [height, width, 3], rows packed
  /// @param from extents of `source`
  /// @param top first row of the box
  /// @param left first column of the box
  /// @param box extents of the box
  /// @param target uint8 [height, width, 3], rows packed; must not overlap `source`
  /// @param to extents of `target`
  /// @throws IndexOutOfBoundsException if the box is not within `source`, or a segment is smaller
  ///     than its extents say
  public void resize(
      MemorySegment source,
      ImageSize from,
      int top,
      int left,
      ImageSize box,
      MemorySegment target,
      ImageSize to) {
    Objects.checkFromIndexSize(top, box.height(), from.height());
    Objects.checkFromIndexSize(left, box.width(), from.width());
    Objects.checkFromIndexSize(0, from.rgbBytes(), source.byteSize());
    Objects.checkFromIndexSize(0, to.rgbBytes(), target.byteSize());
    stage.reset(from.height(), from.width());
    stage.crop(top, left, box.height(), box.width());
    stage.resize(to.height(), to.width());
    run(stage, source, target, rgb);
  }

  /// Runs one pass.
  ///
  /// @param source uint8, the image or the part of it that [Stage#inMemory] says, rows packed
  /// @param target where `sink` writes the window
  public void run(Stage stage, MemorySegment source, MemorySegment target, RowSink sink) {
    int rowLength = 3 * stage.width;
    if (sums.length < rowLength) {
      sums = new int[rowLength];
    }
    sink.begin(target, stage.height, stage.width, stage.upended);
    int y0 = Math.clamp(-stage.top, 0, stage.height); // rows of the window that are not overhang
    int y1 = Math.clamp((long) stage.resizedHeight - stage.top, y0, stage.height);
    int x0 = Math.clamp(-stage.left, 0, stage.width);
    int x1 = Math.clamp((long) stage.resizedWidth - stage.left, x0, stage.width);
    if (x0 == x1) {
      y1 = y0; // nothing but overhang
    }
    if (y0 > 0 || y1 < stage.height) {
      Arrays.fill(sums, 0, rowLength, 0);
      for (int y = 0; y < stage.height; y++) {
        if (y < y0 || y >= y1) {
          sink.row(y, sums);
        }
      }
    }
    if (y0 < y1) {
      if (stage.copies()) {
        copy(stage, source, sink, y0, y1, x0, x1);
      } else {
        resample(stage, source, sink, y0, y1, x0, x1);
      }
    }
  }

  private void copy(
      Stage stage, MemorySegment source, RowSink sink, int y0, int y1, int x0, int x1) {
    int n = x1 - x0;
    if (upper.length < 3 * n) {
      upper = new byte[3 * n];
    }
    Arrays.fill(sums, 0, 3 * stage.width, 0);
    int start = stage.flipped ? stage.width - x1 : x0;
    for (int y = y0; y < y1; y++) {
      long offset = stage.offset(stage.top + y, stage.left + x0);
      MemorySegment.copy(source, JAVA_BYTE, offset, upper, 0, 3 * n);
      for (int c = 0; c < 3; c++) {
        RowFilter.plane(upper, c, n, stage.flipped, sums, c * stage.width + start);
      }
      sink.row(y, sums);
    }
  }

  private void resample(
      Stage stage, MemorySegment source, RowSink sink, int y0, int y1, int x0, int x1) {
    int n = x1 - x0;
    prepareTaps(stage, y0, y1, x0, x1);
    prepareRows(stage);
    int start = stage.flipped ? stage.width - x1 : x0;
    int mask = ring.length - 1;
    int taps = down.count();
    int ready = down.first()[0];
    for (int y = y0; y < y1; y++) {
      int first = down.first()[y - y0];
      for (; ready < first + taps; ready += 2) {
        load(stage, source, ready);
        int[] row0 = ring[ready & mask];
        int[] row1 = ring[(ready + 1) & mask];
        RowFilter.across(pair, across, n, row0, row1, start, stage.width);
      }
      RowFilter.down(ring, first, down, y - y0, sums, 3 * stage.width);
      sink.row(y, sums);
    }
  }

  private void prepareRows(Stage stage) {
    int sourceLength = 3 * stage.boxWidth;
    if (pair.length < sourceLength) {
      upper = new byte[sourceLength];
      lower = new byte[sourceLength];
      pair = new long[sourceLength];
    }
    if (upper.length < sourceLength) {
      upper = new byte[sourceLength];
    }
    // Two rows more than the second pass reads: the pair that is being written.
    int rows = Integer.highestOneBit(down.count() + 1) << 1;
    if (ring.length < rows) {
      ring = new int[rows][0];
    }
    int rowLength = 3 * stage.width;
    boolean overhangs = stage.overhangs();
    for (int i = 0; i < ring.length; i++) {
      if (ring[i].length < rowLength) {
        ring[i] = new int[rowLength];
      } else if (overhangs) {
        Arrays.fill(ring[i], 0, rowLength, 0);
      }
    }
  }

  /// Loads what is needed of the rows `y` and `y + 1` of the box, into the lower and the upper
  /// halves of longs.
  private void load(Stage stage, MemorySegment source, int y) {
    int start = 3 * firstColumn;
    int n = 3 * (endColumn - firstColumn);
    MemorySegment.copy(source, JAVA_BYTE, stage.offset(y, firstColumn), upper, start, n);
    if (y + 1 < stage.boxHeight) {
      MemorySegment.copy(source, JAVA_BYTE, stage.offset(y + 1, firstColumn), lower, start, n);
      RowFilter.zip(upper, lower, pair, start, start + n);
    } else {
      RowFilter.zip(upper, upper, pair, start, start + n);
    }
  }

  /// {@return the part of its image that a pass reads, or null if it reads nothing}
  public @Nullable Region needed(Stage stage) {
    int y0 = Math.clamp(-stage.top, 0, stage.height);
    int y1 = Math.clamp((long) stage.resizedHeight - stage.top, y0, stage.height);
    int x0 = Math.clamp(-stage.left, 0, stage.width);
    int x1 = Math.clamp((long) stage.resizedWidth - stage.left, x0, stage.width);
    if (y0 == y1 || x0 == x1) {
      return null;
    }
    if (stage.copies()) {
      return new Region(
          stage.boxTop + stage.top + y0, stage.boxLeft + stage.left + x0, y1 - y0, x1 - x0);
    }
    prepareTaps(stage, y0, y1, x0, x1);
    int first = down.first()[0];
    int end = first;
    for (int y = 0; y < y1 - y0; y++) {
      end = Math.max(end, down.first()[y] + down.count());
    }
    end = Math.min(end + 1, stage.boxHeight); // rows are loaded two at a time
    return new Region(
        stage.boxTop + first, stage.boxLeft + firstColumn, end - first, endColumn - firstColumn);
  }

  private void prepareTaps(Stage stage, int y0, int y1, int x0, int x1) {
    int n = x1 - x0;
    across.prepare(stage.boxWidth, stage.resizedWidth, stage.left + x0, n, stage.flipped);
    down.prepare(stage.boxHeight, stage.resizedHeight, stage.top + y0, y1 - y0, false);
    firstColumn = stage.boxWidth;
    endColumn = 0;
    for (int x = 0; x < n; x++) {
      firstColumn = Math.min(firstColumn, across.first()[x]);
      endColumn = Math.max(endColumn, across.first()[x] + across.count());
    }
  }
}
