package io.headrace.pipeline.policy;

import io.headrace.pipeline.colour.AutoContrast;
import io.headrace.pipeline.colour.Brightness;
import io.headrace.pipeline.colour.Contrast;
import io.headrace.pipeline.colour.Equalize;
import io.headrace.pipeline.colour.Invert;
import io.headrace.pipeline.colour.Posterize;
import io.headrace.pipeline.colour.Saturation;
import io.headrace.pipeline.colour.Sharpness;
import io.headrace.pipeline.colour.Solarize;
import io.headrace.pipeline.geometry.Rotate;
import io.headrace.pipeline.geometry.Warp;
import io.headrace.pipeline.step.Drawn;
import io.headrace.pipeline.step.Effect;
import io.headrace.pipeline.step.EffectList;

/// A change of an image by a magnitude.
enum Change {
  IDENTITY(false, false),
  SHEAR_X(true, true),
  SHEAR_Y(true, true),
  TRANSLATE_X(true, true),
  TRANSLATE_Y(true, true),
  ROTATE(true, true),
  BRIGHTNESS(true, true),
  COLOR(true, true),
  CONTRAST(true, true),
  SHARPNESS(true, true),
  POSTERIZE(true, false),
  SOLARIZE(true, false),
  AUTO_CONTRAST(false, false),
  EQUALIZE(false, false),
  INVERT(false, false);

  private final boolean sized;
  private final boolean signed;

  Change(boolean sized, boolean signed) {
    this.sized = sized;
    this.signed = signed;
  }

  /// {@return whether it has a magnitude}
  boolean sized() {
    return sized;
  }

  /// {@return whether its magnitude is negated for one image in two}
  boolean signed() {
    return signed;
  }

  /// Adds the change to others.
  ///
  /// @param height rows of the image
  /// @param width columns of the image
  /// @param look how turned images look
  /// @param magnitude sine over cosine of a shear; pixels; degrees; what a factor is above 1; bits;
  ///     share of white from which is solarized
  void add(EffectList effects, int height, int width, Warp.Look look, double magnitude) {
    switch (this) {
      case IDENTITY -> {}
      case SHEAR_X ->
          Warp.affine(effects, height, width, look, 0, 0, 0, 1, degrees(magnitude), 0, true);
      case SHEAR_Y ->
          Warp.affine(effects, height, width, look, 0, 0, 0, 1, 0, degrees(magnitude), true);
      case TRANSLATE_X ->
          Warp.affine(effects, height, width, look, 0, (int) magnitude, 0, 1, 0, 0, false);
      case TRANSLATE_Y ->
          Warp.affine(effects, height, width, look, 0, 0, (int) magnitude, 1, 0, 0, false);
      case ROTATE -> Rotate.add(effects, height, width, look, magnitude);
      case BRIGHTNESS -> put(effects, Brightness.EFFECT, 1 + magnitude);
      case COLOR -> put(effects, Saturation.EFFECT, 1 + magnitude);
      case CONTRAST -> put(effects, Contrast.EFFECT, 1 + magnitude);
      case SHARPNESS -> put(effects, Sharpness.EFFECT, 1 + magnitude);
      case POSTERIZE -> put(effects, Posterize.EFFECT, (int) magnitude);
      case SOLARIZE -> put(effects, Solarize.EFFECT, 255 * magnitude);
      case AUTO_CONTRAST -> put(effects, AutoContrast.EFFECT, 0);
      case EQUALIZE -> put(effects, Equalize.EFFECT, 0);
      case INVERT -> put(effects, Invert.EFFECT, 0);
    }
  }

  private static void put(EffectList effects, Effect effect, double number) {
    Drawn _ = effects.add(effect).set(0, number);
  }

  private static double degrees(double slope) {
    return Math.toDegrees(StrictMath.atan(slope));
  }
}
