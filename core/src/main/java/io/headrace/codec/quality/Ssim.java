package io.headrace.codec.quality;

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
  private final Similarity similarity = new Similarity();

  /// A meter without buffers, which grow at the first picture.
  public Ssim() {}

  /// {@return the similarity, at most 1, which equal pictures have}
  ///
  /// @param a uint8 [height, width, 3], rows packed
  /// @param b the same
  /// @param width columns, at least 1
  /// @param height rows, at least 1
  public double measure(MemorySegment a, MemorySegment b, int width, int height) {
    Channel.requirePictures(a, b, width, height);
    double sum = 0;
    for (int channel = 0; channel < 3; channel++) {
      similarity.compare(
          new Channel(a, width, channel), new Channel(b, width, channel), width, height);
      sum += similarity.whole();
    }
    return sum / 3;
  }
}
