package io.headrace.pipeline.resize;

import io.headrace.codec.JpegScale;
import io.headrace.codec.Region;
import io.headrace.memory.Planes;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Resizes the planes of a JPEG and makes colours only of the result; or resizes planes that are
/// colours.
///
/// The filter is that of [Resampler], and so are boxes and edges. Results differ from those of a
/// whole decode only by rounding, since nothing is rounded to 8 bits in between. See [PlaneTaps].
///
/// Confined to one thread, and reused: it allocates nothing but what larger images need.
public final class YuvResampler {
  private final PlaneTaps across = new PlaneTaps();
  private final PlaneTaps down = new PlaneTaps();
  private final AcrossFilter lumaFilter;
  private final AcrossFilter chromaFilter;
  private final DownFilter downFilter;
  private final PlaneRows y = new PlaneRows(0);
  private final PlaneRows cb = new PlaneRows(1);
  private final PlaneRows cr = new PlaneRows(2);
  private int[] lumaRow = new int[0];
  private int[] cbRow = new int[0];
  private int[] crRow = new int[0];

  /// Zeros.
  private int[] blackRow = new int[0];

  /// Outputs of the window that do not overhang.
  private int y0;

  private int y1;
  private int x0;
  private int x1;

  /// A resampler with the fastest filters of this JVM.
  public YuvResampler() {
    this(AcrossFilter.fastest(), AcrossFilter.fastest(), DownFilter.fastest());
  }

  /// @param lumaFilter for its own use
  /// @param chromaFilter for its own use
  /// @param downFilter for its own use
  YuvResampler(AcrossFilter lumaFilter, AcrossFilter chromaFilter, DownFilter downFilter) {
    this.lumaFilter = lumaFilter;
    this.chromaFilter = chromaFilter;
    this.downFilter = downFilter;
  }

  /// {@return the part of the picture at `scale` whose luminance a pass reads, or null if it reads
  ///     nothing}
  public @Nullable Region needed(Stage stage, JpegScale scale) {
    bounds(stage);
    if (y0 == y1 || x0 == x1) {
      return null;
    }
    box(stage, scale);
    int top = down.start(stage.top + y0);
    int left = across.start(stage.left + x0);
    int bottom = down.end(stage.top + y1 - 1);
    int right = across.end(stage.left + x1 - 1);
    return new Region(top, left, Math.max(bottom - top, 1), Math.max(right - left, 1));
  }

  private void bounds(Stage stage) {
    y0 = Math.clamp(-stage.top, 0, stage.height);
    y1 = Math.clamp((long) stage.resizedHeight - stage.top, y0, stage.height);
    x0 = Math.clamp(-stage.left, 0, stage.width);
    x1 = Math.clamp((long) stage.resizedWidth - stage.left, x0, stage.width);
  }

  private void box(Stage stage, JpegScale scale) {
    across.box(stage.inWidth, stage.boxLeft, stage.boxWidth, stage.resizedWidth, scale);
    down.box(stage.inHeight, stage.boxTop, stage.boxHeight, stage.resizedHeight, scale);
  }

  /// Runs one pass that reads something.
  ///
  /// @param planes those of the picture, or at least those of the part that [#needed] says, and of
  ///     one sample of luminance around it
  /// @param scale at which they were decoded
  /// @param target where the sinks write the window
  /// @param sink for pixels
  /// @param black of the same values: for windows that overhang, first; and for rows to which
  ///     something is done, in windows that do not
  public void run(
      Stage stage,
      Planes planes,
      JpegScale scale,
      MemorySegment target,
      ColourSink sink,
      RowSink black) {
    bounds(stage);
    int n = x1 - x0;
    int rows = y1 - y0;
    boolean grey = planes.count() == 1;
    boolean colours = planes.colours();
    grow(stage.width);
    box(stage, scale);
    boolean chroma = !grey && !colours;
    across.prepare(stage.left + x0, n, stage.flipped, chroma ? planes.across() : 0);
    down.prepare(stage.top + y0, rows, false, chroma ? planes.down() : 0);
    lumaFilter.prepare(across.luma());
    downFilter.begin();
    y.begin(planes, across.luma(), down.luma());
    if (grey) {
      Arrays.fill(cbRow, 0, n, YuvColours.NEUTRAL << YuvColours.DOWN);
      Arrays.fill(crRow, 0, n, YuvColours.NEUTRAL << YuvColours.DOWN);
    } else if (colours) {
      cb.begin(planes, across.luma(), down.luma());
      cr.begin(planes, across.luma(), down.luma());
    } else {
      chromaFilter.prepare(across.chroma());
      cb.begin(planes, across.chroma(), down.chroma());
      cr.begin(planes, across.chroma(), down.chroma());
    }
    if (stage.overhangs()) {
      blacken(stage, target, black);
    }
    sink.begin(target, stage.height, stage.width, stage.upended, black);
    int start = stage.flipped ? stage.width - x1 : x0;
    MemorySegment memory = planes.memory();
    for (int row = 0; row < rows; row++) {
      y.row(memory, lumaFilter, downFilter, down.luma(), row, lumaRow, n);
      if (colours) {
        cb.row(memory, lumaFilter, downFilter, down.luma(), row, cbRow, n);
        cr.row(memory, lumaFilter, downFilter, down.luma(), row, crRow, n);
        sink.colourRow(downFilter, y0 + row, start, n, lumaRow, cbRow, crRow);
        continue;
      }
      if (!grey) {
        cb.row(memory, chromaFilter, downFilter, down.chroma(), row, cbRow, n);
        cr.row(memory, chromaFilter, downFilter, down.chroma(), row, crRow, n);
      }
      sink.row(downFilter, y0 + row, start, n, lumaRow, cbRow, crRow);
    }
  }

  private void blacken(Stage stage, MemorySegment target, RowSink black) {
    if (blackRow.length < 3 * stage.width) {
      blackRow = new int[3 * stage.width];
    }
    black.begin(target, stage.height, stage.width, stage.upended);
    for (int row = 0; row < stage.height; row++) {
      black.row(row, blackRow);
    }
  }

  private void grow(int width) {
    if (lumaRow.length < width) {
      int room = width + AcrossFilter.SLACK;
      lumaRow = new int[room];
      cbRow = new int[room];
      crRow = new int[room];
    }
  }
}
