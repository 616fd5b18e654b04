package io.headrace.sound.signal;

import io.headrace.error.ConfigException;
import org.jspecify.annotations.Nullable;

/// How sound becomes a spectrogram.
///
/// @param sampleRate frames a second
/// @param window samples that one column of the spectrogram sees, at least 2: a Hann window
/// @param step samples from one column to the next, at least 1
/// @param fftLength points of the transform, even, with the factors 2, 3 and 5, not less than
///     `window`: what is more is zeros
/// @param framing where columns lie
/// @param power 1 for magnitudes, 2 for their squares
/// @param mel bands that are made of the bins, or null for the bins themselves
/// @param loudness what the values become
public record SpectrogramSpec(
    int sampleRate,
    int window,
    int step,
    int fftLength,
    Framing framing,
    int power,
    @Nullable MelBands mel,
    Loudness loudness) {
  private static final int MAX_FFT = 1 << 16;

  /// Where the columns of a spectrogram lie.
  public enum Framing {
    /// Every whole window is a column, from the first sample on: `tf.signal.stft`. Windows of odd
    /// length are symmetric, others periodic.
    WINDOWS,
    /// As many points as the transform has are a column, the window in their middle:
    /// `torch.stft(center=False)`.
    TRANSFORMS,
    /// Columns lie around every `step`th sample, the sound mirrored at both ends:
    /// `torch.stft(center=True)`.
    CENTRES,
    /// As [#CENTRES] without the last column: Whisper.
    WHISPER
  }

  /// Checks the ranges.
  public SpectrogramSpec {
    if (sampleRate < 1) {
      throw new ConfigException("spectrogram at " + sampleRate + " Hz: expected at least 1");
    }
    if (window < 2 || step < 1) {
      throw new ConfigException(
          "spectrogram of windows of %d samples every %d: expected at least 2 and 1"
              .formatted(window, step));
    }
    if (fftLength < window || fftLength > MAX_FFT) {
      throw new ConfigException(
          "FFT of %d points for windows of %d samples: expected not less, at most %d"
              .formatted(fftLength, window, MAX_FFT));
    }
    int[] _ = RealFft.radices(fftLength); // refuses what it cannot do
    if (power != 1 && power != 2) {
      throw new ConfigException("power %d: expected 1 or 2".formatted(power));
    }
    if (mel != null && mel.highHz() > sampleRate / 2.0) {
      throw new ConfigException(
          "mel bands up to %s Hz at %d Hz: expected at most half the rate"
              .formatted(mel.highHz(), sampleRate));
    }
  }

  /// {@return what the pipelines of PRESTO (Isenko et al., 2022) make of speech: windows of 20 ms
  ///     every 10 ms, 1024 points, ln(1e-8 + x) of 80 bands from 125 to 3800 Hz}
  ///
  /// The edges are TensorFlow's defaults, at any rate.
  ///
  /// @param sampleRate frames a second: 7,600 to 51,200
  public static SpectrogramSpec presto(int sampleRate) {
    return new SpectrogramSpec(
        sampleRate,
        sampleRate / 50,
        sampleRate / 100,
        1024,
        Framing.WINDOWS,
        1,
        new MelBands(80, 125, 3800, MelBands.Scale.TENSORFLOW, false),
        Loudness.PRESTO);
  }

  /// {@return magnitudes in one column of the transform: half the points, and one}
  public int bins() {
    return fftLength / 2 + 1;
  }

  /// {@return values in a column}
  public int height() {
    return mel == null ? bins() : mel.bands();
  }

  /// {@return columns of the spectrogram of so many samples}
  public long columns(long samples) {
    return switch (framing) {
      case WINDOWS -> samples < window ? 0 : 1 + (samples - window) / step;
      case TRANSFORMS -> samples < fftLength ? 0 : 1 + (samples - fftLength) / step;
      case CENTRES -> mirrors(samples) ? 1 + centred(samples) / step : 0;
      case WHISPER -> mirrors(samples) ? centred(samples) / step : 0;
    };
  }

  /// {@return the fewest samples that have a column}
  public long least() {
    return switch (framing) {
      case WINDOWS -> window;
      case TRANSFORMS -> fftLength;
      case CENTRES -> fftLength / 2 + 1L;
      case WHISPER -> Math.max(fftLength / 2 + 1L, step);
    };
  }

  private boolean mirrors(long samples) {
    return samples > fftLength / 2;
  }

  private long centred(long samples) {
    return samples + 2L * (fftLength / 2) - fftLength;
  }

  /// {@return the sample that the window of column 0 begins with; negative if before the sound}
  int first() {
    int beside = (fftLength - window) / 2;
    return switch (framing) {
      case WINDOWS -> 0;
      case TRANSFORMS -> beside;
      case CENTRES, WHISPER -> beside - fftLength / 2;
    };
  }
}
