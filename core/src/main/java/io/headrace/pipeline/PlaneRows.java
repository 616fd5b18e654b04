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
  private YuvPlanes planes = new YuvPlanes();
  private AcrossFilter filter = NONE;
  private AxisTaps down = new AxisTaps();
  private int origin;
  private int samples;
  private int outputs;
  private int end;
  private int ready;

  private static final AcrossFilter NONE = new ScalarAcross();

  /// @param plane its number, see [YuvPlanes#offset]
  PlaneRows(int plane) {
    this.plane = plane;
  }

  /// Starts with the first row.
  ///
  /// @param filter prepared for rows that start at `origin`
  /// @param origin first column that it reads
  /// @param samples columns that it reads
  /// @param down weights down the columns
  /// @param rows outputs of `down`
  /// @param outputs columns that come out
  void begin(
      YuvPlanes planes,
      AcrossFilter filter,
      int origin,
      int samples,
      AxisTaps down,
      int rows,
      int outputs) {
    this.planes = planes;
    this.filter = filter;
    this.origin = origin;
    this.samples = samples;
    this.down = down;
    this.outputs = outputs;
    int length = samples + AcrossFilter.SLACK;
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
    for (int i = 0; i < ring.length; i++) {
      if (ring[i].length < outputs) {
        ring[i] = new int[outputs];
      }
    }
    end = down.endOf(rows);
    ready = down.firstOf(rows);
  }

  /// Computes one output row.
  ///
  /// @param y the row, not above the one before
  /// @param sums fixed point, [AxisTaps#PRECISION_BITS] + [AcrossFilter#RESULT_BITS] bits
  void row(int y, int[] sums) {
    int first = down.first()[y];
    int count = down.count();
    int mask = ring.length - 1;
    for (; ready < first + count; ready += 3) {
      load(ready, a);
      load(ready + 1, b);
      load(ready + 2, c);
      filter.rows(
          a, b, c, ring[ready & mask], ring[(ready + 1) & mask], ring[(ready + 2) & mask], 0);
    }
    RowFilter.down(ring, first, down.weights(), y * count, count, 0, sums, outputs);
  }

  /// Loads a row; the last one again beyond the end.
  private void load(int y, byte[] row) {
    MemorySegment memory = planes.memory();
    long offset = planes.offset(plane, Math.min(y, end - 1), origin);
    MemorySegment.copy(memory, JAVA_BYTE, offset, row, 0, samples);
  }
}
