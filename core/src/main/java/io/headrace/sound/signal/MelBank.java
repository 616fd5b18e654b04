package io.headrace.sound.signal;

/// Triangular filters that make mel bands of the bins of a spectrum. Sources of the formulas:
/// `tf.signal.linear_to_mel_weight_matrix`, and `torchaudio.functional.melscale_fbanks`, which
/// follows librosa.
final class MelBank {
  private final int[] first;
  private final float[][] weights;

  /// For each bin the bands that it is in, the end excluded.
  private final int[] firsts;

  private final int[] lasts;

  /// @param sampleRate frames a second
  /// @param bins of the spectrum, from 0 Hz to half the rate
  MelBank(MelBands bands, int sampleRate, int bins) {
    first = new int[bands.bands()];
    weights = new float[bands.bands()][];
    firsts = new int[bins];
    lasts = new int[bins];
    double low = bands.scale().mel(bands.lowHz());
    double width = (bands.scale().mel(bands.highHz()) - low) / (bands.bands() + 1);
    double[] column = new double[bins];
    for (int band = 0; band < bands.bands(); band++) {
      int from = bins;
      int to = 0;
      for (int bin = 0; bin < bins; bin++) {
        double hertz = (double) bin * sampleRate / (2 * (bins - 1));
        column[bin] = weight(bands, hertz, low + band * width, width);
        if (column[bin] > 0) {
          from = Math.min(from, bin);
          to = bin + 1;
        }
      }
      first[band] = from;
      weights[band] = new float[Math.max(0, to - from)];
      for (int bin = from; bin < to; bin++) {
        weights[band][bin - from] = (float) column[bin];
        firsts[bin] = lasts[bin] == 0 ? band : firsts[bin];
        lasts[bin] = band + 1;
      }
    }
  }

  private static double weight(MelBands bands, double hertz, double lower, double width) {
    MelBands.Scale scale = bands.scale();
    if (scale == MelBands.Scale.TENSORFLOW) {
      double rise = (scale.mel(hertz) - lower) / width;
      return hertz == 0 ? 0 : Math.min(rise, 2 - rise);
    }
    double left = scale.hertz(lower);
    double peak = scale.hertz(lower + width);
    double right = scale.hertz(lower + 2 * width);
    double weight = Math.min((hertz - left) / (peak - left), (right - hertz) / (right - peak));
    return bands.norm() ? weight * 2 / (right - left) : weight;
  }

  /// {@return the weight of a bin in a band}
  float weight(int bin, int band) {
    int i = bin - first[band];
    return i < 0 || i >= weights[band].length ? 0 : weights[band][i];
  }

  /// Adds a bin to the bands that it is in.
  ///
  /// @param spectrum the bin's value in each column
  /// @param count columns
  /// @param values float32 [bands, columns]
  void add(int bin, float[] spectrum, int count, float[][] values) {
    int end = lasts[bin];
    for (int band = firsts[bin]; band < end; band++) {
      add(weight(bin, band), spectrum, count, values[band]);
    }
  }

  private static void add(float weight, float[] spectrum, int count, float[] to) {
    for (int c = 0; c < count; c++) {
      to[c] += weight * spectrum[c];
    }
  }
}
