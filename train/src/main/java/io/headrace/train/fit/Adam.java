package io.headrace.train.fit;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.headrace.train.net.Weights;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// Adam as `torch.optim.Adam` computes it, of gradients whose norm over all parameters is at most
/// 1. Source: D. Kingma, J. Ba, "Adam: A Method for Stochastic Optimization".
final class Adam {
  private static final double FIRST = 0.9;
  private static final double SECOND = 0.999;
  private static final double EPSILON = 1e-8;

  private final Weights weights;
  private final Map<String, Moments> moments = new LinkedHashMap<>();
  private int steps;

  /// Running means of a parameter's gradients and of their squares.
  private record Moments(NDArray mean, NDArray square) {}

  Adam(Weights weights) {
    this.weights = weights;
    weights
        .parameters()
        .forEach(
            (name, array) ->
                moments.put(
                    name,
                    new Moments(
                        weights.manager().zeros(array.getShape()),
                        weights.manager().zeros(array.getShape()))));
  }

  /// Changes all parameters by their gradients, which become zero.
  ///
  /// @return the norm that the gradients had
  double step(double rate) {
    steps++;
    try (NDManager scratch = weights.manager().newSubManager()) {
      Map<String, NDArray> gradients = new LinkedHashMap<>();
      double sum = 0;
      for (String name : moments.keySet()) {
        NDArray gradient = weights.get(name).getGradient();
        gradient.attach(scratch);
        gradients.put(name, gradient);
        sum += gradient.mul(gradient).sum().getFloat();
      }
      double norm = Math.sqrt(sum);
      double factor = Math.min(1, 1 / (norm + 1e-6));
      double first = 1 - Math.pow(FIRST, steps);
      double second = 1 - Math.pow(SECOND, steps);
      gradients.forEach(
          (name, whole) -> {
            NDArray gradient = whole.mul(factor);
            Moments moment = Objects.requireNonNull(moments.get(name));
            moment.mean.muli(FIRST).addi(gradient.mul(1 - FIRST));
            moment.square.muli(SECOND).addi(gradient.mul(gradient).mul(1 - SECOND));
            NDArray deviation = moment.square.div(second);
            deviation.attach(scratch);
            NDArray change = moment.mean.div(first);
            change.attach(scratch);
            NDArray weight = weights.get(name);
            weight.subi(change.div(deviation.sqrt().add(EPSILON)).mul(rate));
            Gradients.clear(weight);
          });
      return norm;
    }
  }
}
