package io.headrace.codec.quality;

import java.lang.foreign.MemorySegment;

/// Multi-scale structural similarity of two RGB pictures (Wang, Simoncelli, Bovik, 2003,
/// "Multiscale structural similarity for image quality assessment").
///
/// Five scales, each half the one before; the windows and constants of [#ssim]. Contrast and
/// structure count at every scale, luminance at the last alone; the mean over all windows that lie
/// wholly inside ("valid" filtering), not less than 0, is raised to the scale's weight, and the
/// product over the scales averaged over the three channels. A scale is halved by means of 2 x 2
/// samples, its last column or row taken twice where it is odd. That is
/// `tf.image.ssim_multiscale(a, b, max_val=255)`.
///
/// TensorFlow refuses pictures under 161 pixels a side, whose fifth scale is smaller than the
/// window. Here the first scales that are as large as the window count, their weights divided by
/// their sum, and a picture under 11 pixels a side is mirrored at its edges: under 21
/// pixels a side this is the SSIM of one scale. It is never NaN.
///
/// Keeps its buffers from call to call, about 4 bytes a pixel. Not thread-safe.
public final class MsSsim {
  /// As published; their sum is 1.0001.
  private static final double[] WEIGHTS = {0.0448, 0.2856, 0.3001, 0.2363, 0.1333};

  private final Similarity similarity = new Similarity();

  /// Halved planes, those of `a` and of `b`, of two scales in turn.
  private final double[][] halvedA = {{}, {}};

  private final double[][] halvedB = {{}, {}};
  private double[] upper = new double[0];
  private double[] lower = new double[0];
  private double ssim;

  /// A meter without buffers, which grow at the first picture.
  public MsSsim() {}

  /// A plane of samples, row after row.
  @SuppressWarnings("ArrayRecordComponent") // a view
  private record Packed(double[] samples, int width) implements Similarity.Plane {
    @Override
    public void read(int y, double[] row, int start) {
      System.arraycopy(samples, y * width, row, start, width);
    }
  }

  /// {@return how many scales count for pictures of this size, 1 to 5}
  ///
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  public static int scales(int width, int height) {
    int side = Math.min(width, height);
    int scales = 1;
    while (scales < WEIGHTS.length && Math.ceilDiv(side, 2) >= Similarity.TAPS) {
      side = Math.ceilDiv(side, 2);
      scales++;
    }
    return scales;
  }

  /// {@return the similarity, 0 to 1, which equal pictures have}
  ///
  /// @param a uint8 [height, width, 3], rows packed
  /// @param b the same
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  public double measure(MemorySegment a, MemorySegment b, int width, int height) {
    Channel.requirePictures(a, b, width, height);
    int scales = scales(width, height);
    double weights = scales == WEIGHTS.length ? 1 : sum(scales);
    double sum = 0;
    double first = 0;
    for (int channel = 0; channel < 3; channel++) {
      Similarity.Plane planeA = new Channel(a, width, channel);
      Similarity.Plane planeB = new Channel(b, width, channel);
      int columns = width;
      int rows = height;
      double product = 1;
      for (int scale = 0; scale < scales; scale++) {
        if (scale > 0) {
          planeA = halve(planeA, columns, rows, halvedA, scale % 2);
          planeB = halve(planeB, columns, rows, halvedB, scale % 2);
          columns = Math.ceilDiv(columns, 2);
          rows = Math.ceilDiv(rows, 2);
        }
        similarity.compare(planeA, planeB, columns, rows);
        first += scale == 0 ? similarity.whole() : 0;
        double alike = scale + 1 < scales ? similarity.structure() : similarity.whole();
        product *= Math.pow(Math.max(0, alike), WEIGHTS[scale] / weights);
      }
      sum += product;
    }
    ssim = first / 3;
    return sum / 3;
  }

  /// {@return the mean structural similarity of the pictures that were measured last, at most 1
  /// (Wang, Bovik, Sheikh, Simoncelli, 2004, "Image quality assessment: from error visibility to
  /// structural similarity")}
  ///
  /// The whole of the first scale: 11 x 11 Gaussian window of sigma 1.5, k1 = 0.01, k2 = 0.03,
  /// range 255, population covariance, averaged over the three channels. That is
  /// `skimage.metrics.structural_similarity(a, b, channel_axis=2, gaussian_weights=True, sigma=1.5,
  /// use_sample_covariance=False, data_range=255)`, which refuses pictures under 11 pixels a side.
  public double ssim() {
    return ssim;
  }

  private static double sum(int scales) {
    double sum = 0;
    for (int scale = 0; scale < scales; scale++) {
      sum += WEIGHTS[scale];
    }
    return sum;
  }

  private Similarity.Plane halve(
      Similarity.Plane plane, int width, int height, double[][] buffers, int which) {
    int columns = Math.ceilDiv(width, 2);
    int rows = Math.ceilDiv(height, 2);
    int samples = Math.multiplyExact(columns, rows);
    if (buffers[which].length < samples) {
      buffers[which] = new double[samples];
    }
    if (upper.length < 2 * columns) {
      upper = new double[2 * columns];
      lower = new double[2 * columns];
    }
    double[] to = buffers[which];
    for (int y = 0; y < rows; y++) {
      read(plane, 2 * y, width, upper);
      read(plane, Math.min(2 * y + 1, height - 1), width, lower);
      for (int x = 0; x < columns; x++) {
        double above = upper[2 * x] + upper[2 * x + 1];
        to[y * columns + x] = (above + lower[2 * x] + lower[2 * x + 1]) / 4;
      }
    }
    return new Packed(to, columns);
  }

  private static void read(Similarity.Plane plane, int y, int width, double[] row) {
    plane.read(y, row, 0);
    if (width % 2 != 0) {
      row[width] = row[width - 1];
    }
  }
}
