package io.headrace.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Brings pixels the right way up as EXIF says: 1 as they are, 2 mirrored left to right, 3 turned
/// by half, 4 mirrored top to bottom, 5 transposed, 6 turned right, 7 transposed along the other
/// diagonal, 8 turned left. Source: Exif 2.32, tag 0x0112.
public final class Orientation {
  /// Rows and columns of one tile: what is read along columns stays in the first cache.
  private static final int TILE = 32;

  private Orientation() {}

  /// {@return whether upright pixels have as many columns as stored ones have rows}
  ///
  /// @param orientation 1 to 8
  public static boolean swapsSides(int orientation) {
    return orientation >= 5;
  }

  /// Writes the upright picture.
  ///
  /// @param stored uint8 [height, width, 3], rows packed
  /// @param width columns as stored
  /// @param height rows as stored
  /// @param orientation 1 to 8
  /// @param upright uint8 [height, width, 3], or [width, height, 3] where sides are swapped; other
  ///     memory than `stored`
  public static void apply(
      MemorySegment stored, int width, int height, int orientation, MemorySegment upright) {
    long bytes = 3L * width * height;
    if (orientation < 1 || orientation > 8) {
      throw new IllegalArgumentException("orientation " + orientation + ": expected 1 to 8");
    }
    ImageLimits.requireBytes(stored, bytes);
    ImageLimits.requireBytes(upright, bytes);
    if (orientation == 1) {
      MemorySegment.copy(stored, 0, upright, 0, bytes);
      return;
    }
    boolean swap = swapsSides(orientation);
    int columns = swap ? height : width;
    int rows = swap ? width : height;
    // where the first upright pixel is stored, and how far the next one across and down is
    boolean fromRight =
        orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    boolean fromBottom =
        orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    long alongRow = fromRight ? -3 : 3;
    long alongColumn = (fromBottom ? -3L : 3L) * width;
    long origin = (fromRight ? 3L * (width - 1) : 0) + (fromBottom ? 3L * width * (height - 1) : 0);
    long across = swap ? alongColumn : alongRow;
    long down = swap ? alongRow : alongColumn;
    for (int top = 0; top < rows; top += TILE) {
      for (int left = 0; left < columns; left += TILE) {
        int bottom = Math.min(rows, top + TILE);
        int right = Math.min(columns, left + TILE);
        for (int y = top; y < bottom; y++) {
          long from = origin + down * y + across * left;
          long to = 3L * ((long) columns * y + left);
          for (int x = left; x < right; x++) {
            upright.set(JAVA_BYTE, to, stored.get(JAVA_BYTE, from));
            upright.set(JAVA_BYTE, to + 1, stored.get(JAVA_BYTE, from + 1));
            upright.set(JAVA_BYTE, to + 2, stored.get(JAVA_BYTE, from + 2));
            from += across;
            to += 3;
          }
        }
      }
    }
  }
}
