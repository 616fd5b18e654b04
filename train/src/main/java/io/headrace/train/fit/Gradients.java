package io.headrace.train.fit;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import io.headrace.train.net.Weights;

/// The gradients of a network as one vector.
final class Gradients {
  private Gradients() {}

  /// Makes the gradient of a parameter zero, whatever it was.
  static void clear(NDArray parameter) {
    JniUtils.zeroGrad((PtNDArray) parameter);
  }

  /// {@return all gradients, in the order of the parameters}
  static float[] of(Weights weights) {
    var all = new float[Math.toIntExact(weights.count())];
    int at = 0;
    try (NDManager scratch = weights.manager().newSubManager()) {
      for (NDArray weight : weights.parameters().values()) {
        NDArray gradient = weight.getGradient();
        gradient.attach(scratch);
        float[] values = gradient.toFloatArray();
        System.arraycopy(values, 0, all, at, values.length);
        at += values.length;
      }
    }
    return all;
  }

  /// {@return the cosine of the angle between two vectors; 0 if one of them is zero}
  static double cosine(float[] a, float[] b) {
    double ab = 0;
    double aa = 0;
    double bb = 0;
    for (int i = 0; i < a.length; i++) {
      ab += (double) a[i] * b[i];
      aa += (double) a[i] * a[i];
      bb += (double) b[i] * b[i];
    }
    return aa == 0 || bb == 0 ? 0 : ab / Math.sqrt(aa * bb);
  }
}
