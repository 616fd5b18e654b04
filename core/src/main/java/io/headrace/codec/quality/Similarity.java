package io.headrace.codec.quality;

/// Compares two planes of samples under an 11 x 11 Gaussian window of sigma 1.5, k1 = 0.01,
/// k2 = 0.03, range 255, with population covariance. All windows that lie wholly inside count; a
/// plane under 11 samples a side is mirrored at its edges, its outermost samples included.
///
/// Keeps its buffers from call to call. Not thread-safe.
final class Similarity {
  /// Samples along a side of the window.
  static final int TAPS = 11;

  private static final int RADIUS = TAPS / 2;
  private static final double C1 = 0.01 * 255 * 0.01 * 255;
  private static final double C2 = 0.03 * 255 * 0.03 * 255;
  private static final double[] WEIGHTS = gaussian(1.5);

  /// Means of a, b, a², b² and a·b.
  private static final int MAPS = 5;

  /// The last 11 rows of each map, filtered along the row.
  private double[][][] ring = new double[0][0][0];

  private double[] column = new double[0];
  private double[] rowA = new double[0];
  private double[] rowB = new double[0];
  private double[][] means = new double[0][0];
  private double whole;
  private double structure;

  /// A plane, row by row.
  interface Plane {
    /// Reads the samples of row `y`, of 0 to 255 each, into `row` from `start` on.
    void read(int y, double[] row, int start);
  }

  private static double[] gaussian(double sigma) {
    double[] weights = new double[TAPS];
    double sum = 0;
    for (int i = 0; i < TAPS; i++) {
      weights[i] = Math.exp(-0.5 * (i - RADIUS) * (i - RADIUS) / (sigma * sigma));
      sum += weights[i];
    }
    for (int i = 0; i < TAPS; i++) {
      weights[i] /= sum;
    }
    return weights;
  }

  /// Compares two planes; [#whole] and [#structure] then say how alike they are.
  void compare(Plane a, Plane b, int width, int height) {
    int padX = width < TAPS ? RADIUS : 0;
    int padY = height < TAPS ? RADIUS : 0;
    int columns = width + 2 * padX;
    int windows = columns - TAPS + 1;
    int rows = height + 2 * padY;
    grow(columns);
    whole = 0;
    structure = 0;
    for (int y = 0; y < rows; y++) {
      read(a, rowA, mirror(y - padY, height), width, padX);
      read(b, rowB, mirror(y - padY, height), width, padX);
      double[][] filtered = ring[y % TAPS];
      along(rowA, filtered[0], windows);
      along(rowB, filtered[1], windows);
      along(product(rowA, rowA, columns), filtered[2], windows);
      along(product(rowB, rowB, columns), filtered[3], windows);
      along(product(rowA, rowB, columns), filtered[4], windows);
      if (y >= TAPS - 1) {
        for (int map = 0; map < MAPS; map++) {
          down(map, y + 1, windows);
        }
        add(windows);
      }
    }
    long count = (long) windows * (rows - TAPS + 1);
    whole /= count;
    structure /= count;
  }

  /// {@return the mean of luminance times contrast times structure: SSIM}
  double whole() {
    return whole;
  }

  /// {@return the mean of contrast times structure alone}
  double structure() {
    return structure;
  }

  private void grow(int columns) {
    if (columns > rowA.length) {
      rowA = new double[columns];
      rowB = new double[columns];
      column = new double[columns];
      ring = new double[TAPS][MAPS][columns];
      means = new double[MAPS][columns];
    }
  }

  private static void read(Plane plane, double[] row, int y, int width, int pad) {
    plane.read(y, row, pad);
    for (int x = 0; x < pad; x++) {
      row[x] = row[pad + mirror(x - pad, width)];
      row[pad + width + x] = row[pad + mirror(width + x, width)];
    }
  }

  private static int mirror(int i, int length) {
    int j = i;
    while (j < 0 || j >= length) {
      j = j < 0 ? -1 - j : 2 * length - 1 - j;
    }
    return j;
  }

  private double[] product(double[] a, double[] b, int columns) {
    for (int x = 0; x < columns; x++) {
      column[x] = a[x] * b[x];
    }
    return column;
  }

  /// Loops of one statement over whole rows, which the JIT makes vectors of; sums keep their order.
  private static void along(double[] from, double[] to, int windows) {
    double w0 = WEIGHTS[0];
    double w1 = WEIGHTS[1];
    double w2 = WEIGHTS[2];
    double w3 = WEIGHTS[3];
    double w4 = WEIGHTS[4];
    double w5 = WEIGHTS[RADIUS];
    for (int x = 0; x < windows; x++) {
      to[x] =
          w5 * from[x + 5]
              + w0 * (from[x] + from[x + 10])
              + w1 * (from[x + 1] + from[x + 9])
              + w2 * (from[x + 2] + from[x + 8])
              + w3 * (from[x + 3] + from[x + 7])
              + w4 * (from[x + 4] + from[x + 6]);
    }
  }

  /// Filters a map down its columns; `oldest` is the row number of the window's first, modulo 11.
  private void down(int map, int oldest, int windows) {
    double[] to = means[map];
    double[] middle = ring[(oldest + RADIUS) % TAPS][map];
    double w5 = WEIGHTS[RADIUS];
    for (int x = 0; x < windows; x++) {
      to[x] = w5 * middle[x];
    }
    for (int i = 0; i < RADIUS; i++) {
      double weight = WEIGHTS[i];
      double[] above = ring[(oldest + i) % TAPS][map];
      double[] below = ring[(oldest + TAPS - 1 - i) % TAPS][map];
      for (int x = 0; x < windows; x++) {
        to[x] += weight * (above[x] + below[x]);
      }
    }
  }

  private void add(int windows) {
    double[] ua = means[0];
    double[] ub = means[1];
    double[] aa = means[2];
    double[] bb = means[3];
    double[] ab = means[4];
    for (int x = 0; x < windows; x++) {
      double va = aa[x] - ua[x] * ua[x];
      double vb = bb[x] - ub[x] * ub[x];
      double vab = ab[x] - ua[x] * ub[x];
      double cs = (2 * vab + C2) / (va + vb + C2);
      double all = cs * (2 * ua[x] * ub[x] + C1) / (ua[x] * ua[x] + ub[x] * ub[x] + C1);
      aa[x] = cs;
      bb[x] = all;
    }
    for (int x = 0; x < windows; x++) {
      structure += aa[x];
      whole += bb[x];
    }
  }
}
