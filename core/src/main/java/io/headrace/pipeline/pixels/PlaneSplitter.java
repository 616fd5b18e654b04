package io.headrace.pipeline.pixels;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.headrace.codec.DecodedRegion;
import io.headrace.codec.Region;
import io.headrace.error.DecodeException;
import io.headrace.memory.Block;
import io.headrace.memory.Planes;
import io.headrace.pipeline.resize.AcrossFilter;
import java.lang.foreign.MemorySegment;

/// Splits the pixels of a region into planes of red, green and blue. Confined to one thread.
abstract class PlaneSplitter {
  /// Bytes that rows must have after their content.
  private static final int SLACK = 256;

  private byte[] pixels = new byte[0];
  private final byte[][] rows = new byte[3][0];

  /// {@return the fastest splitter of this JVM once it is warm; at first, a plain one}
  static PlaneSplitter fastest() {
    return AcrossFilter.vectors() ? new WarmSplitter() : new ScalarSplitter();
  }

  /// Splits a region.
  ///
  /// @param planes laid out for it
  /// @param block takes the samples
  /// @throws DecodeException if the block must not grow
  final void split(DecodedRegion region, Planes planes, Block block) throws DecodeException {
    begin();
    Region part = region.region();
    int n = part.width();
    long bytes = planes.layOutColours(part.height(), n);
    planes.in(block.ensure(bytes));
    planes.startAt(part.top(), part.left());
    if (pixels.length < 3 * n + SLACK) {
      pixels = new byte[3 * n + SLACK];
      for (int c = 0; c < 3; c++) {
        rows[c] = new byte[n + SLACK];
      }
    }
    MemorySegment memory = planes.memory();
    for (int y = 0; y < part.height(); y++) {
      MemorySegment.copy(region.pixels(), JAVA_BYTE, region.offset(y), pixels, 0, 3 * n);
      row(pixels, rows[0], rows[1], rows[2], n);
      for (int c = 0; c < 3; c++) {
        long to = planes.offset(c, part.top() + y, part.left());
        MemorySegment.copy(rows[c], 0, memory, JAVA_BYTE, to, n);
      }
    }
  }

  /// Says that an image begins.
  void begin() {}

  /// Splits a row.
  ///
  /// @param pixels 3 bytes each
  /// @param red takes `n` bytes, as the others; all rows have room for more
  abstract void row(byte[] pixels, byte[] red, byte[] green, byte[] blue, int n);
}
