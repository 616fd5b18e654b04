package io.headrace.train.fit;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.headrace.train.net.Weights;
import java.util.LinkedHashMap;
import java.util.Map;

/// Adam as `torch.optim.Adam` computes it, of gradients whose norm over all parameters is at most 1.
/// Source: D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization".
final class Adam {
  private static final double FIRST = 0.9;
  private static final double SECOND = 0.999;
  private static final double EPSILON = 1e-8;

  private final Weights weights;
  private final Map<String, NDArray> means = new LinkedHashMap<>();
  private final Map<String, NDArray> squares = new LinkedHashMap<>();
  private long steps;

  Adam(Weights weights) {
    this.weights = weights;
    weights
        .parameters()
        .forEach(
            (name, array) -> {
              means.put(name, weights.manager().zeros(array.getShape()));
              squares.put(name, weights.manager().zeros(array.getShape()));
            });
  }

  /// Changes all parameters by their gradients, which become zero.
  ///
  /// @return the norm that the gradients had
  double step(double rate) {
    steps++;
    try (NDManager scratch = weights.manager().newSubManager()) {
      Map<String, NDArray> gradients = new LinkedHashMap<>();
      double sum = 0;
      for (Map.Entry<String, NDArray> weight : weights.parameters().entrySet()) {
        NDArray gradient = weight.getValue().getGradient();
        gradient.attach(scratch);
        gradients.put(weight.getKey(), gradient);
        sum += gradient.mul(gradient).sum().getFloat();
      }
      double norm = Math.sqrt(sum);
      double factor = Math.min(1, 1 / (norm + 1e-6));
      double first = 1 - Math.pow(FIRST, steps);
      double second = 1 - Math.pow(SECOND, steps);
      gradients.forEach(
          (name, whole) -> {
            NDArray gradient = whole.mul(factor);
            NDArray mean = means.get(name);
            NDArray square = squares.get(name);
            mean.muli(FIRST).addi(gradient.mul(1 - FIRST));
            square.muli(SECOND).addi(gradient.mul(gradient).mul(1 - SECOND));
            NDArray deviation = square.div(second);
            deviation.attach(scratch);
            NDArray change = mean.div(first);
            change.attach(scratch);
            NDArray weight = weights.get(name);
            weight.subi(change.div(deviation.sqrt().add(EPSILON)).mul(rate));
            Gradients.clear(weight);
          });
      return norm;
    }
  }
}
