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

  /// Makes all gradients zero.
  static void clear(Weights weights) {
    weights.parameters().values().forEach(Gradients::clear);
  }

  /// {@return whether all gradients are numbers}
  static boolean finite(Weights weights) {
    try (NDManager scratch = weights.manager().newSubManager()) {
      NDArray sum = scratch.create(0f);
      for (NDArray weight : weights.parameters().values()) {
        NDArray gradient = weight.getGradient();
        gradient.attach(scratch);
        sum = sum.add(gradient.mul(0).sum()); // 0 unless one is not a number
      }
      return sum.getFloat() == 0;
    }
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
