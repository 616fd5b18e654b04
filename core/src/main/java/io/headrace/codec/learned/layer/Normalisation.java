package io.headrace.codec.learned.layer;

import io.headrace.error.DecodeException;

/// Generalised divisive normalisation: `x / √(β + γ · x²)` with `γ` over the channels of a pixel.
/// The inverse multiplies where this divides, which about undoes it. Source: J. Ballé, V. Laparra,
/// E. Simoncelli, "Density Modeling of Images Using a Generalized Normalization Transformation".
///
/// @param norm from squares to what is under the root
/// @param inverse whether to multiply
public record Normalisation(Convolution norm, boolean inverse) implements Layer {
  /// Training keeps `β` and `γ` as roots, this much above their least.
  private static final double PEDESTAL = 0x1p-36;

  private static final double MIN_BETA = 1e-6;

  /// A normalisation from what a checkpoint has.
  ///
  /// @param beta one number a channel, as roots
  /// @param gamma [channels, channels], as roots
  public static Normalisation of(float[] beta, float[] gamma, boolean inverse) {
    int channels = beta.length;
    return new Normalisation(
        Convolution.usual(squared(gamma, 0), squared(beta, MIN_BETA), channels, channels, 1, 1),
        inverse);
  }

  private static float[] squared(float[] roots, double least) {
    float bound = (float) Math.sqrt(least + PEDESTAL);
    var squares = new float[roots.length];
    for (int i = 0; i < roots.length; i++) {
      float root = Math.max(roots[i], bound);
      squares[i] = root * root - (float) PEDESTAL;
    }
    return squares;
  }

  @Override
  public FeatureMap apply(FeatureMap in, Scratch scratch) throws DecodeException {
    FeatureMap squares = scratch.like(in);
    int n = in.size();
    for (int i = 0; i < n; i++) {
      squares.data[i] = in.data[i] * in.data[i];
    }
    FeatureMap out = norm.apply(squares, scratch);
    scratch.give(squares);
    for (int i = 0; i < n; i++) {
      float root = (float) Math.sqrt(out.data[i]);
      out.data[i] = in.data[i] * (inverse ? root : 1 / root);
    }
    return out;
  }
}
