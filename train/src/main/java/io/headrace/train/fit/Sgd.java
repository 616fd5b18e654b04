package io.headrace.train.fit;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.headrace.train.net.Weights;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// Stochastic gradient descent with momentum and weight decay, as `torch.optim.SGD` computes it:
/// `v = m · v + (g + d · w)`, then `w = w − rate · v`; at the first step `v = g + d · w`.
final class Sgd {
  private final Weights weights;
  private final double momentum;
  private final double decay;
  private final Map<String, NDArray> velocities = new LinkedHashMap<>();

  Sgd(Weights weights, double momentum, double decay) {
    this.weights = weights;
    this.momentum = momentum;
    this.decay = decay;
    weights
        .parameters()
        .forEach(
            (name, array) ->
                velocities.put(
                    name, weights.manager().zeros(array.getShape(), array.getDataType())));
  }

  /// {@return what is added to each parameter, by its name}
  Map<String, NDArray> velocities() {
    return Collections.unmodifiableMap(velocities);
  }

  /// Changes all parameters by their gradients, which become zero.
  ///
  /// @param scale factor of the loss that the gradients are of
  void step(double rate, double scale) {
    try (NDManager scratch = weights.manager().newSubManager()) {
      velocities.forEach(
          (name, velocity) -> {
            NDArray weight = weights.get(name);
            NDArray gradient = weight.getGradient();
            gradient.attach(scratch);
            velocity.muli(momentum).addi(scale == 1 ? gradient : gradient.div(scale));
            if (decay != 0) {
              NDArray decayed = weight.stopGradient();
              decayed.attach(scratch);
              velocity.addi(decayed.mul(decay));
            }
            NDArray change = velocity.mul(rate);
            change.attach(scratch);
            weight.subi(change);
            Gradients.clear(weight);
          });
    }
  }
}
