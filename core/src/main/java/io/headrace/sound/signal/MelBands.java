package io.headrace.sound.signal;

import io.headrace.error.ConfigException;

/// Which bands of frequencies a mel spectrogram has.
///
/// @param bands how many, at least 1
/// @param lowHz where the lowest begins
/// @param highHz where the highest ends
/// @param scale on which they are equally wide
/// @param norm whether each is divided by half its width in Hz, so that all have the same area
///     (Slaney's); else their peaks are 1
public record MelBands(int bands, double lowHz, double highHz, Scale scale, boolean norm) {
  /// A scale of pitch.
  public enum Scale {
    /// 1127 ln(1 + f / 700), triangles on the mel scale, nothing from 0 Hz: TensorFlow's
    /// `linear_to_mel_weight_matrix`.
    TENSORFLOW,
    /// 2595 log10(1 + f / 700), triangles in Hz: torchaudio's default.
    HTK,
    /// Linear up to 1 kHz, logarithmic above, triangles in Hz: Slaney's Auditory Toolbox, librosa,
    /// Whisper.
    SLANEY;

    private static final double LINEAR = 200.0 / 3;
    private static final double LOG_STEP = Math.log(6.4) / 27;

    /// {@return a frequency on this scale}
    double mel(double hertz) {
      return switch (this) {
        case TENSORFLOW -> 1127 * Math.log(1 + hertz / 700);
        case HTK -> 2595 * Math.log10(1 + hertz / 700);
        case SLANEY ->
            hertz < 1000 ? hertz / LINEAR : 1000 / LINEAR + Math.log(hertz / 1000) / LOG_STEP;
      };
    }

    /// {@return the frequency of a pitch}
    double hertz(double mel) {
      return switch (this) {
        case TENSORFLOW -> 700 * (Math.exp(mel / 1127) - 1);
        case HTK -> 700 * (Math.pow(10, mel / 2595) - 1);
        case SLANEY ->
            mel < 1000 / LINEAR ? mel * LINEAR : 1000 * Math.exp(LOG_STEP * (mel - 1000 / LINEAR));
      };
    }
  }

  /// Checks the ranges.
  public MelBands {
    if (bands < 1 || bands > 1 << 16) {
      throw new ConfigException(bands + " mel bands: expected 1 to 65536");
    }
    if (!(lowHz >= 0 && lowHz < highHz)) {
      throw new ConfigException(
          "mel bands from %s to %s Hz: expected 0 or more, rising".formatted(lowHz, highHz));
    }
  }
}
