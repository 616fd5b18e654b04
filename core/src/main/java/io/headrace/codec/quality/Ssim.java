package io.headrace.codec.quality;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/// Mean structural similarity of two RGB pictures (Wang, Bovik, Sheikh, Simoncelli, 2004, "Image
/// quality assessment: from error visibility to structural similarity").
///
/// One scale, 11 x 11 Gaussian window of sigma 1.5, k1 = 0.01, k2 = 0.03, range 255, population
/// covariance: the mean over the three channels of the mean over all windows that lie wholly
/// inside. That is `skimage.metrics.structural_similarity(a, b, channel_axis=2,
/// gaussian_weights=True, sigma=1.5, use_sample_covariance=False, data_range=255)`. A picture
/// under 11 pixels a side, which that refuses, is mirrored at its edges.
///
/// Keeps its buffers from call to call. Not thread-safe.
public final class Ssim {
  private static final int TAPS = 11;
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

  /// A meter without buffers, which grow at the first picture.
  public Ssim() {}

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

  /// {@return the similarity, at most 1, which equal pictures have}
  ///
  /// @param a uint8 [height, width, 3], rows packed
  /// @param b the same
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  public double measure(MemorySegment a, MemorySegment b, int width, int height) {
    long bytes = 3L * width * height;
    if (width < 1 || height < 1 || a.byteSize() < bytes || b.byteSize() < bytes) {
      throw new IllegalArgumentException(
          "%d x %d pixels in %d and %d bytes".formatted(width, height, a.byteSize(), b.byteSize()));
    }
    int padX = width < TAPS ? RADIUS : 0;
    int padY = height < TAPS ? RADIUS : 0;
    grow(width + 2 * padX);
    double sum = 0;
    for (int channel = 0; channel < 3; channel++) {
      sum += channel(a, b, width, height, channel, padX, padY);
    }
    return sum / 3;
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

  private double channel(
      MemorySegment a, MemorySegment b, int width, int height, int channel, int padX, int padY) {
    int columns = width + 2 * padX;
    int windows = columns - TAPS + 1;
    int rows = height + 2 * padY;
    double sum = 0;
    for (int y = 0; y < rows; y++) {
      long row = 3L * width * mirror(y - padY, height) + channel;
      for (int x = 0; x < columns; x++) {
        long at = row + 3L * mirror(x - padX, width);
        rowA[x] = a.get(JAVA_BYTE, at) & 0xff;
        rowB[x] = b.get(JAVA_BYTE, at) & 0xff;
      }
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
        sum += row(windows);
      }
    }
    return sum / ((long) windows * (rows - TAPS + 1));
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

  private static void along(double[] from, double[] to, int windows) {
    for (int x = 0; x < windows; x++) {
      double sum = WEIGHTS[RADIUS] * from[x + RADIUS];
      for (int i = 0; i < RADIUS; i++) {
        sum += WEIGHTS[i] * (from[x + i] + from[x + TAPS - 1 - i]);
      }
      to[x] = sum;
    }
  }

  /// Filters a map down its columns; `oldest` is the row number of the window's first, modulo 11.
  private void down(int map, int oldest, int windows) {
    double[] to = means[map];
    double[] middle = ring[(oldest + RADIUS) % TAPS][map];
    for (int x = 0; x < windows; x++) {
      to[x] = WEIGHTS[RADIUS] * middle[x];
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

  private double row(int windows) {
    double sum = 0;
    for (int x = 0; x < windows; x++) {
      double ua = means[0][x];
      double ub = means[1][x];
      double va = means[2][x] - ua * ua;
      double vb = means[3][x] - ub * ub;
      double vab = means[4][x] - ua * ub;
      sum += (2 * ua * ub + C1) * (2 * vab + C2) / ((ua * ua + ub * ub + C1) * (va + vb + C2));
    }
    return sum;
  }
}
