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

  private static final float LN_10 = (float) Math.log(10);

  /// The bits of the square root of a half, where mantissas begin.
  private static final int SQRT_HALF_BITS = Float.floatToRawIntBits((float) Math.sqrt(0.5));

  /// Values as they are.
  public static final Loudness NONE = new Loudness(Kind.NONE, 0, Double.POSITIVE_INFINITY);

  /// What PRESTO's pipelines make: ln(x + 1e-8).
  public static final Loudness PRESTO = new Loudness(Kind.LN, 1e-8, Double.POSITIVE_INFINITY);

  /// What torchaudio's `AmplitudeToDB` makes.
  public static final Loudness DECIBELS = new Loudness(Kind.DB, 1e-10, Double.POSITIVE_INFINITY);

  /// What Whisper makes.
  public static final Loudness WHISPER = new Loudness(Kind.WHISPER, 1e-10, 80);

  /// {@return the loudness of silence}
  ///
  /// @param power as in [#apply]
  float silence(int power) {
    float[] one = {0};
    return apply(one, 1, power);
  }

  /// Makes loudnesses of values, in place.
  ///
  /// @param count of the values
  /// @param power 1 for magnitudes, 2 for their squares
  /// @return the loudest
  float apply(float[] values, int count, int power) {
    float least = (float) floor;
    switch (kind) {
      case NONE -> {}
      case LN -> {
        add(values, count, least);
        logarithms(values, count, 1);
      }
      case DB -> {
        raise(values, count, least);
        logarithms(values, count, (power == 2 ? 10 : 20) / LN_10);
      }
      case WHISPER -> {
        raise(values, count, least);
        logarithms(values, count, 1 / LN_10);
      }
    }
    float loudest = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      loudest = Math.max(loudest, values[i]);
    }
    return loudest;
  }

  private static void add(float[] values, int count, float what) {
    for (int i = 0; i < count; i++) {
      values[i] += what;
    }
  }

  private static void raise(float[] values, int count, float least) {
    for (int i = 0; i < count; i++) {
      values[i] = Math.max(values[i], least);
    }
  }

  /// Takes natural logarithms and multiplies them.
  ///
  /// Source of the polynomial: Moshier's Cephes library, `logf`, within 1e-7 of the logarithm or of
  /// 1 for all normal numbers.
  private static void logarithms(float[] values, int count, float scale) {
    for (int i = 0; i < count; i++) {
      float value = values[i];
      if (!(value >= Float.MIN_NORMAL && value <= Float.MAX_VALUE)) {
        values[i] = scale * (float) Math.log(value); // infinite, no number, or hardly one
        continue;
      }
      int bits = Float.floatToRawIntBits(value) - SQRT_HALF_BITS;
      int exponent = bits >> 23;
      float x = Float.intBitsToFloat((bits & 0x7fffff) + SQRT_HALF_BITS) - 1;
      float square = x * x;
      float y = 0.070376836f;
      y = y * x - 0.1151461f;
      y = y * x + 0.116769984f;
      y = y * x - 0.12420141f;
      y = y * x + 0.14249323f;
      y = y * x - 0.16668057f;
      y = y * x + 0.20000714f;
      y = y * x - 0.24999994f;
      y = y * x + 0.3333333f;
      y = y * x * square + exponent * -2.1219444e-4f - 0.5f * square;
      values[i] = scale * (x + y + exponent * 0.6933594f);
    }
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
