package io.headrace.pipeline.resize;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.memory.Planes;
import java.lang.foreign.MemorySegment;

/// Resizes one plane, output row by output row from top to bottom.
///
/// Rows are filtered along the row three at a time, once each, into a ring that holds those which
/// the filter down the columns still needs.
final class PlaneRows {
  private final int plane;
  private byte[] samples = new byte[0];
  private int[][] ring = new int[0][];
  private int[] weights = new int[0];
  private int ready;

  /// Samples of a row, and from one row to the next in [#samples].
  private int columns;

  private int stride;

  /// Where the first column of the plane's first row is in memory, and from there to the next row.
  private long start;

  private int apart;

  /// @param plane its number, see [Planes#offset]
  PlaneRows(int plane) {
    this.plane = plane;
  }

  /// Starts with the first row.
  void begin(Planes planes, AxisTaps across, AxisTaps down) {
    ready = down.begin();
    columns = across.end() - across.begin();
    start = planes.offset(plane, ready, across.begin());
    apart = planes.stride(plane);
    stride = apart < 2 * columns ? apart : columns; // short rows are copied with what is between
    int length = 2 * stride + columns + AcrossFilter.SLACK;
    if (samples.length < length) {
      samples = new byte[length];
    }
    // Three rows more than the second pass reads: those that are being written.
    int most = Math.max(4, Integer.highestOneBit(down.count() + 2) << 1);
    if (ring.length < most) {
      ring = new int[most][0];
    }
    int room = across.outputs() + AcrossFilter.SLACK;
    for (int i = 0; i < ring.length; i++) {
      if (ring[i].length < room) {
        ring[i] = new int[room];
      }
    }
    if (weights.length < down.count()) {
      weights = new int[down.count()];
    }
  }

  /// Computes one output row.
  ///
  /// @param memory of the planes
  /// @param across filter along rows, prepared
  /// @param filter down the columns
  /// @param down its weights
  /// @param y the row, not above the one before
  /// @param sums fixed point with [YuvColours#SUM_BITS]
  /// @param n sums wanted
  void row(
      MemorySegment memory,
      AcrossFilter across,
      DownFilter filter,
      AxisTaps down,
      int y,
      int[] sums,
      int n) {
    int first = down.first()[y];
    int count = down.count();
    int mask = ring.length - 1;
    for (; ready < first + count; ready += 3) {
      load(memory, ready - down.begin(), Math.min(3, down.end() - ready));
      across.rows(
          samples, stride, ring[ready & mask], ring[(ready + 1) & mask], ring[(ready + 2) & mask]);
    }
    for (int t = 0; t < count; t++) {
      weights[t] = down.weights()[t * down.outputs() + y];
    }
    filter.sum(ring, first, weights, count, sums, n);
  }

  /// Copies `rows` rows from row `y` on. After them old bytes stay, and what is computed from these
  /// is not read.
  private void load(MemorySegment memory, int y, int rows) {
    long from = start + (long) y * apart;
    if (stride == apart) {
      MemorySegment.copy(memory, JAVA_BYTE, from, samples, 0, (rows - 1) * stride + columns);
      return;
    }
    for (int i = 0; i < rows; i++) {
      MemorySegment.copy(memory, JAVA_BYTE, from + (long) i * apart, samples, i * stride, columns);
    }
  }
}
