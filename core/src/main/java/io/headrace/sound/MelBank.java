package io.headrace.sound;

/// Triangular bands on the mel scale, as `tf.signal.linear_to_mel_weight_matrix` defines them.
///
/// mel(f) = 1127 ln(1 + f / 700), from the HTK book. Band b rises from edge b to edge b + 1 and
/// falls to edge b + 2, linearly in mel, where the edges divide the range evenly; the weight of a
/// frequency is the lesser of both lines, at least 0. The bin at 0 Hz weighs nothing. Only bins
/// with a weight are kept; each belongs to two or three bands.
final class MelBank {
  private final int[] first;
  private final float[][] weights;

  MelBank(SpectrogramSpec spec) {
    first = new int[spec.melBins()];
    weights = new float[spec.melBins()][];
    double low = mel(spec.lowHz());
    double width = (mel(spec.highHz()) - low) / (spec.melBins() + 1);
    for (int band = 0; band < spec.melBins(); band++) {
      double lower = low + band * width;
      int from = 1;
      while (from < spec.bins() && weight(spec, from, lower, width) <= 0) {
        from++;
      }
      int to = from;
      while (to < spec.bins() && weight(spec, to, lower, width) > 0) {
        to++;
      }
      first[band] = from;
      weights[band] = new float[to - from];
      for (int bin = from; bin < to; bin++) {
        weights[band][bin - from] = (float) weight(spec, bin, lower, width);
      }
    }
  }

  private static double weight(SpectrogramSpec spec, int bin, double lower, double width) {
    double frequency = (double) bin * spec.sampleRate() / spec.fftLength();
    double rise = (mel(frequency) - lower) / width;
    return Math.min(rise, 2 - rise);
  }

  /// {@return a frequency on the mel scale of HTK}
  static double mel(double hertz) {
    return 1127 * Math.log(1 + hertz / 700);
  }

  /// {@return number of bands}
  int bands() {
    return first.length;
  }

  /// {@return the weight of a bin in a band}
  float weight(int bin, int band) {
    int i = bin - first[band];
    return i < 0 || i >= weights[band].length ? 0 : weights[band][i];
  }

  /// {@return the value of a band for a column}
  float apply(float[] magnitudes, int band) {
    float[] w = weights[band];
    int from = first[band];
    double sum = 0;
    for (int i = 0; i < w.length; i++) {
      sum += w[i] * magnitudes[from + i];
    }
    return (float) sum;
  }
}
