package io.headrace.codec.jpeg.entropy;

import io.headrace.codec.jpeg.JpegHeader;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Looks whether a rewritten JPEG has the coefficients of its source: reads both, row by row, and
/// keeps none.
public final class SideBySide {
  private final PlainBlocks left = new PlainBlocks();
  private final PlainBlocks right = new PlainBlocks();
  private final JpegHeader source = new JpegHeader();
  private final JpegHeader made = new JpegHeader();
  private final PlainHeader plain = new PlainHeader();

  /// Compares two JPEGs.
  ///
  /// @param made may have more MCUs in a row: what stands there is only read
  /// @param maxPixels that they may have
  /// @return whether both are sound and usual, and have the same size, components, quantisation and
  ///     coefficients; if not, only [io.headrace.codec.jpeg.coefficients.JpegCoefficients] can tell
  public boolean same(MemorySegment source, MemorySegment made, long maxPixels) {
    return plain.read(source, this.source)
        && plain.read(made, this.made)
        && left.open(source, this.source)
        && right.open(made, this.made)
        && same(maxPixels)
        && left.finished(source)
        && right.finished(made);
  }

  private boolean same(long maxPixels) {
    if ((long) source.width() * source.height() > maxPixels || !alike()) {
      return false;
    }
    int down = Math.ceilDiv(source.height(), 8 * left.scan().rows[0]);
    int columns = across(source);
    int madeColumns = across(made);
    for (int row = 0; row < down; row++) {
      if (!left.row(columns) || !right.row(madeColumns) || !left.same(right)) {
        return false;
      }
    }
    return true;
  }

  private int across(JpegHeader header) {
    return Math.ceilDiv(header.width(), 8 * left.scan().columns[0]);
  }

  private boolean alike() {
    JpegHeader a = source;
    JpegHeader b = made;
    if (a.height() != b.height() || a.width() > b.width() || a.components() != b.components()) {
      return false;
    }
    for (int i = 0; i < a.components(); i++) {
      if (a.id(i) != b.id(i)
          || a.horizontalFactor(i) != b.horizontalFactor(i)
          || a.verticalFactor(i) != b.verticalFactor(i)
          || !Arrays.equals(left.scan().quantisation[i], right.scan().quantisation[i])) {
        return false;
      }
    }
    return true;
  }
}
