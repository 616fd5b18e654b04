package io.headrace.sound.signal;

import io.headrace.error.ConfigException;

/// How the values of a spectrogram become loudnesses.
///
/// @param kind of logarithm
/// @param floor added to a value, or the least that it counts as: what keeps silence finite
/// @param topDb decibels below the loudest value of a sound that anything is counted as at least;
///     infinite for no such bound
public record Loudness(Kind kind, double floor, double topDb) {
  /// A kind of logarithm.
  public enum Kind {
    /// None: values stay what they are.
    NONE,
    /// ln(x + floor): PRESTO's pipelines.
    LN,
    /// 10 log10(max(x, floor)) of powers, 20 log10 of magnitudes: torchaudio's `AmplitudeToDB`.
    DB,
    /// log10(max(x, floor)), at most 8 below the loudest of the sound, plus 4, over 4: Whisper's.
    WHISPER
  }

  /// Checks the ranges.
  public Loudness {
    if (!(floor > 0 || kind == Kind.NONE) || !(topDb > 0)) {
      throw new ConfigException(
          "loudness above %s, within %s dB: expected more than 0".formatted(floor, topDb));
    }
  }

  /// Values as they are.
  public static final Loudness NONE = new Loudness(Kind.NONE, 0, Double.POSITIVE_INFINITY);

  /// What PRESTO's pipelines make: ln(x + 1e-8).
  public static final Loudness PRESTO = new Loudness(Kind.LN, 1e-8, Double.POSITIVE_INFINITY);

  /// What torchaudio's `AmplitudeToDB` makes.
  public static final Loudness DECIBELS = new Loudness(Kind.DB, 1e-10, Double.POSITIVE_INFINITY);

  /// What Whisper makes.
  public static final Loudness WHISPER = new Loudness(Kind.WHISPER, 1e-10, 80);

  /// {@return a value as a loudness, before the loudest of the sound is known}
  ///
  /// @param power 1 for magnitudes, 2 for their squares
  float of(float value, int power) {
    return switch (kind) {
      case NONE -> value;
      case LN -> (float) Math.log(value + (float) floor);
      case DB -> (float) ((power == 2 ? 10 : 20) * Math.log10(Math.max(value, floor)));
      case WHISPER -> (float) Math.log10(Math.max(value, floor));
    };
  }

  /// {@return whether the loudest value of a sound matters for the others}
  boolean relative() {
    return kind == Kind.WHISPER || (kind == Kind.DB && topDb < Double.POSITIVE_INFINITY);
  }

  /// {@return a loudness, when the loudest of the sound is known}
  float within(float value, float loudest) {
    return kind == Kind.WHISPER
        ? (Math.max(value, loudest - 8) + 4) / 4
        : Math.max(value, loudest - (float) topDb);
  }
}
