package io.headrace.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.YuvPlanes;
import java.lang.foreign.MemorySegment;

/// Resizes one plane, output row by output row from top to bottom.
///
/// Rows are filtered along the row three at a time, once each, into a ring that holds those which
/// the filter down the columns still needs.
final class PlaneRows {
  private final int plane;
  private byte[] a = new byte[0];
  private byte[] b = new byte[0];
  private byte[] c = new byte[0];
  private int[][] ring = new int[0][];
  private int[] weights = new int[0];
  private int ready;

  /// @param plane its number, see [YuvPlanes#offset]
  PlaneRows(int plane) {
    this.plane = plane;
  }

  /// Starts with the first row.
  void begin(AxisTaps across, AxisTaps down) {
    int length = across.end() - across.begin() + AcrossFilter.SLACK;
    if (a.length < length) {
      a = new byte[length];
      b = new byte[length];
      c = new byte[length];
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
    ready = down.begin();
  }

  /// Computes one output row.
  ///
  /// @param across filter prepared for `taps`
  /// @param y the row, not above the one before
  /// @param sums fixed point, [AxisTaps#PRECISION_BITS] + [AcrossFilter#RESULT_BITS] bits
  void row(YuvPlanes planes, AcrossFilter across, AxisTaps taps, AxisTaps down, int y, int[] sums) {
    int first = down.first()[y];
    int count = down.count();
    int mask = ring.length - 1;
    for (; ready < first + count; ready += 3) {
      load(planes, taps, Math.min(ready, down.end() - 1), a);
      load(planes, taps, Math.min(ready + 1, down.end() - 1), b);
      load(planes, taps, Math.min(ready + 2, down.end() - 1), c);
      across.rows(a, b, c, ring[ready & mask], ring[(ready + 1) & mask], ring[(ready + 2) & mask]);
    }
    for (int t = 0; t < count; t++) {
      weights[t] = down.weights()[t * down.outputs() + y];
    }
    RowFilter.down(ring, first, weights, 0, count, 0, sums, taps.outputs());
  }

  private void load(YuvPlanes planes, AxisTaps taps, int y, byte[] row) {
    long offset = planes.offset(plane, y, taps.begin());
    MemorySegment.copy(planes.memory(), JAVA_BYTE, offset, row, 0, taps.end() - taps.begin());
  }
}
