package io.headrace.codec.jpeg.entropy;

import java.util.Arrays;

/// The coefficients of a block that it takes to become smaller: as many rows and columns of them,
/// the lowest frequencies, as it becomes samples down and across.
public final class Corner {
  /// Serves a block that becomes 4 x 4.
  public static final Corner OF_4 = new Corner(4);

  /// Serves a block that becomes 2 x 2.
  public static final Corner OF_2 = new Corner(2);

  /// Place of each coefficient of the zigzag in the corner, row by row; that of [#JUNK] for others,
  /// and for what damaged data has after it.
  final byte[] places = new byte[256];

  /// Index in the zigzag of the last coefficient of the corner.
  final int last;

  /// A place that nobody reads.
  private static final byte JUNK = 64;

  private Corner(int edge) {
    Arrays.fill(places, JUNK);
    int[] natural = new int[64];
    for (int place = 0; place < 64; place++) {
      natural[place] = place;
    }
    int[] zigzag = new int[64];
    ScanBits.zigzag(natural, zigzag);
    int end = 0;
    for (int k = 0; k < 64; k++) {
      int row = zigzag[k] / 8;
      int column = zigzag[k] % 8;
      if (row < edge && column < edge) {
        places[k] = (byte) (edge * row + column);
        end = k;
      }
    }
    last = end;
  }

  /// {@return place in the corner of each coefficient of the zigzag, row by row; 64 for others}
  @SuppressWarnings("MethodReturnsInternalArray") // read for each block
  public byte[] places() {
    return places;
  }

  /// Brings numbers from the order of the zigzag to that of the corner, leaving out the others.
  public void pick(int[] zigzag, int[] corner) {
    for (int k = 0; k <= last; k++) {
      if (places[k] != JUNK) {
        corner[places[k]] = zigzag[k];
      }
    }
  }
}
