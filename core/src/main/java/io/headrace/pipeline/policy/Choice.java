package io.headrace.pipeline.policy;

import io.headrace.pipeline.geometry.Warp;
import io.headrace.pipeline.step.EffectList;
import io.headrace.random.CounterRandom;

/// Changes to choose from, and how large they are at most.
///
/// @param shear slope at the greatest magnitude
/// @param columns columns to move by at the greatest magnitude; a share of the width if `shares`
/// @param shares whether movements are shares of the image's size
/// @param degrees angle at the greatest magnitude
/// @param factor what factors are above or below 1 at the greatest magnitude
/// @param mostBits bits kept at magnitude 0
/// @param fewerBits how many fewer are kept at the greatest magnitude
record Choice(
    double shear,
    double columns,
    boolean shares,
    double degrees,
    double factor,
    int mostBits,
    int fewerBits) {
  /// Serves RandAugment and AutoAugment.
  static final Choice USUAL = new Choice(0.3, 150.0 / 331, true, 30, 0.9, 8, 4);

  /// Serves TrivialAugment Wide.
  static final Choice WIDE = new Choice(0.99, 32, false, 135, 0.99, 8, 6);

  /// Serves AugMix.
  static final Choice MIXED = new Choice(0.3, 1.0 / 3, true, 30, 0.9, 4, 4);

  private static final Change[] CHANGES = Change.values();

  /// {@return one of the first `count` changes}
  static Change draw(CounterRandom random, int count) {
    return CHANGES[random.nextInt(count)];
  }

  /// Adds a change, after the sign of its magnitude was drawn, if it has one.
  ///
  /// @param bin from 0, the least magnitude, to `bins - 1`
  /// @param bins how many magnitudes there are, at least 2
  void add(
      EffectList effects,
      Change change,
      int bin,
      int bins,
      int height,
      int width,
      Warp.Look look,
      CounterRandom random) {
    double magnitude = change.sized() ? magnitude(change, bin, bins, height, width) : 0;
    if (change.signed() && random.nextDouble() < 0.5) {
      magnitude = -magnitude;
    }
    change.add(effects, height, width, look, magnitude);
  }

  /// {@return a magnitude without its sign}
  double magnitude(Change change, int bin, int bins, int height, int width) {
    double share = (double) bin / (bins - 1);
    return switch (change) {
      case SHEAR_X, SHEAR_Y -> shear * share;
      case TRANSLATE_X -> columns * (shares ? width : 1) * share;
      case TRANSLATE_Y -> columns * (shares ? height : 1) * share;
      case ROTATE -> degrees * share;
      case BRIGHTNESS, COLOR, CONTRAST, SHARPNESS -> factor * share;
      case POSTERIZE -> Math.rint(mostBits - bin / ((bins - 1.0) / fewerBits));
      case SOLARIZE -> 1 - share;
      case IDENTITY, AUTO_CONTRAST, EQUALIZE, INVERT -> 0;
    };
  }
}
