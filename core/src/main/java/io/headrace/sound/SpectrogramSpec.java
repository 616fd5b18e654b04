package io.headrace.sound;

import io.headrace.error.ConfigException;

/// How sound becomes a spectrogram.
///
/// @param sampleRate frames a second
/// @param window samples that one column of the spectrogram sees, at least 2
/// @param step samples from one column to the next, at least 1
/// @param fftLength points of the transform, a power of two, not less than `window`: what is more
///     is zeros
/// @param melBins bands of the mel spectrogram, at least 1
/// @param lowHz where the lowest band begins
/// @param highHz where the highest band ends, at most half the sample rate
public record SpectrogramSpec(
    int sampleRate, int window, int step, int fftLength, int melBins, double lowHz, double highHz) {
  /// Checks the ranges.
  public SpectrogramSpec {
    if (window < 2 || step < 1) {
      throw new ConfigException(
          "spectrogram of windows of %d samples every %d: expected at least 2 and 1"
              .formatted(window, step));
    }
    if (fftLength < window || fftLength > 1 << 20 || Integer.bitCount(fftLength) != 1) {
      throw new ConfigException(
          "FFT of %d points for windows of %d samples: expected a power of two, not less"
              .formatted(fftLength, window));
    }
    if (melBins < 1 || melBins > fftLength) {
      throw new ConfigException("%d mel bands from %d points".formatted(melBins, fftLength));
    }
    if (!(lowHz >= 0 && lowHz < highHz && highHz <= sampleRate / 2.0)) {
      throw new ConfigException(
          "mel bands from %s to %s Hz at %d Hz: expected 0 or more, rising, at most half the rate"
              .formatted(lowHz, highHz, sampleRate));
    }
  }

  /// {@return what the pipelines of PRESTO (Isenko et al., 2022) make of speech: windows of 20 ms
  ///     every 10 ms, 1024 points, 80 bands from 125 to 3800 Hz}
  ///
  /// The edges are TensorFlow's defaults, at any rate.
  ///
  /// @param sampleRate frames a second: 7,600 to 51,200
  public static SpectrogramSpec presto(int sampleRate) {
    return new SpectrogramSpec(sampleRate, sampleRate / 50, sampleRate / 100, 1024, 80, 125, 3800);
  }

  /// {@return magnitudes in one column: half the points, and one}
  public int bins() {
    return fftLength / 2 + 1;
  }

  /// {@return columns of the spectrogram of so many samples: only windows that lie in the sound
  ///     whole}
  public long columns(long samples) {
    return samples < window ? 0 : 1 + (samples - window) / step;
  }
}
