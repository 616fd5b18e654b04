package io.headrace.codec.lossless;

/// How a sample is predicted from its neighbours to the west, north and north-west: `w`, `n`, `nw`.
/// What is coded is the sample less its prediction, modulo 256.
///
/// The first row has no north and is predicted from the west by all of them; its first sample is
/// predicted as 0, that of other rows as `n` except by [#LEFT].
///
/// Residuals are coded folded: 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …, a byte each.
enum Filter {
  /// `n`.
  UP(0),
  /// `w`.
  LEFT(1),
  /// `w + n - nw`, modulo 256.
  GRADIENT(2),
  /// The median of `w`, `n` and `w + n - nw`: the predictor of LOCO-I (Weinberger, Seroussi and
  /// Sapiro, IEEE Trans. Image Processing 9, 2000).
  MEDIAN(3);

  private static final long SPREAD = 0x0001000100010001L;
  private static final Filter[] BY_CODE = {UP, LEFT, GRADIENT, MEDIAN};

  private final int code;

  Filter(int code) {
    this.code = code;
  }

  /// {@return the number that stands for it in a stream}
  int code() {
    return code;
  }

  /// {@return the filter with that code, which is less than the number of filters}
  static Filter of(int code) {
    return BY_CODE[code];
  }

  /// {@return how many there are}
  static int count() {
    return BY_CODE.length;
  }

  /// Turns residuals into samples, one row.
  ///
  /// @param folded residuals as [Bytes8#unfold] takes them; lost
  /// @param row samples of the row above, which become those of this one
  /// @param longs of the row
  /// @param first whether there is no row above
  /// @param signed whether samples are differences around 0, which only [#MEDIAN] cares for
  void undo(long[] folded, long[] row, int longs, boolean first, boolean signed) {
    if (first) {
      sumAlong(folded, row, longs);
      return;
    }
    switch (this) {
      case UP -> addUnfolded(folded, row, longs);
      case LEFT -> sumAlong(folded, row, longs);
      case GRADIENT -> {
        sumAlong(folded, folded, longs);
        add(folded, row, longs);
      }
      case MEDIAN -> median(folded, row, longs, signed ? Bytes8.HIGH_BITS : 0);
    }
  }

  // One index for all arrays: so the compiler sees that the iterations are independent.

  private static void addUnfolded(long[] folded, long[] row, int longs) {
    for (int i = 0; i < longs; i++) {
      row[i] = Bytes8.add(Bytes8.unfold(folded[i]), row[i]);
    }
  }

  private static void add(long[] differences, long[] row, int longs) {
    for (int i = 0; i < longs; i++) {
      row[i] = Bytes8.add(differences[i], row[i]);
    }
  }

  /// Adds to every sample the one before it: sums within four fields of 16 bits, by one product.
  private static void sumAlong(long[] folded, long[] row, int longs) {
    long before = 0; // the last sum, below 256
    for (int i = 0; i < longs; i++) {
      long bytes = Bytes8.unfold(folded[i]);
      long odd = (bytes >>> 8) & Bytes8.EVEN;
      long sums = ((bytes & Bytes8.EVEN) + odd) * SPREAD; // below 8 * 256: no field overflows
      long all = sums + before * SPREAD;
      row[i] = ((all - odd) & Bytes8.EVEN) | ((all & Bytes8.EVEN) << 8);
      before = (before + (sums >>> 48)) & 0xff;
    }
  }

  private static void median(long[] folded, long[] row, int longs, long flip) {
    int west = (int) (row[0] ^ flip) & 0xff;
    int northWest = west;
    for (int i = 0; i < longs; i++) {
      long above = row[i] ^ flip;
      long residuals = Bytes8.unfold(folded[i]);
      long samples = 0;
      for (int shift = 0; shift < 64; shift += 8) {
        int north = (int) (above >>> shift) & 0xff;
        west = (median(west, north, northWest) + (int) (residuals >>> shift)) & 0xff;
        northWest = north;
        samples |= (long) west << shift;
      }
      row[i] = samples ^ flip;
    }
  }

  private static int median(int west, int north, int northWest) {
    int low = Math.min(west, north);
    int high = Math.max(west, north);
    return Math.max(low, Math.min(high, west + north - northWest));
  }

  /// Makes residuals of samples.
  ///
  /// @param samples `rows` of `width`, packed
  /// @param residuals takes as many
  /// @param signed as in [#undo]
  void apply(byte[] samples, int width, int rows, boolean signed, byte[] residuals) {
    residuals[0] = samples[0];
    for (int x = 1; x < width; x++) {
      residuals[x] = (byte) (samples[x] - samples[x - 1]);
    }
    int flip = signed ? 0x80 : 0;
    for (int y = 1; y < rows; y++) {
      int at = y * width;
      residuals[at] = (byte) (samples[at] - (this == LEFT ? 0 : samples[at - width]));
      switch (this) {
        case UP -> {
          for (int i = at + 1; i < at + width; i++) {
            residuals[i] = (byte) (samples[i] - samples[i - width]);
          }
        }
        case LEFT -> {
          for (int i = at + 1; i < at + width; i++) {
            residuals[i] = (byte) (samples[i] - samples[i - 1]);
          }
        }
        case GRADIENT -> {
          for (int i = at + 1; i < at + width; i++) {
            residuals[i] =
                (byte) (samples[i] - samples[i - width] - samples[i - 1] + samples[i - width - 1]);
          }
        }
        case MEDIAN -> {
          for (int i = at + 1; i < at + width; i++) {
            int west = (samples[i - 1] ^ flip) & 0xff;
            int north = (samples[i - width] ^ flip) & 0xff;
            int northWest = (samples[i - width - 1] ^ flip) & 0xff;
            residuals[i] = (byte) ((samples[i] ^ flip) - median(west, north, northWest));
          }
        }
      }
    }
  }
}
