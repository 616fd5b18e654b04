package io.headrace.train.net;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;

/// The loss of classification with label smoothing.
public final class Loss {
  private Loss() {}

  /// {@return `(1 − s) · NLL + s · mean(−log p)`, averaged over the batch: one number}
  ///
  /// This is PyTorch's `cross_entropy` with `label_smoothing`.
  ///
  /// @param scores float32 or float16 [batch, classes]; computed in float32
  /// @param labels int64 [batch], each below the number of classes
  /// @param smoothing from 0 to 1
  public static NDArray smoothed(NDArray scores, NDArray labels, float smoothing) {
    NDArray logs = JniUtils.logSoftmax((PtNDArray) scores, 1, DataType.FLOAT32);
    NDArray likely = logs.gather(labels.expandDims(1), 1).mean();
    NDManager manager = scores.getManager(); // keeps the factors until backward is done
    return likely
        .mul(manager.create(smoothing - 1))
        .sub(logs.mean().mul(manager.create(smoothing)));
  }
}
