package io.headrace.train.fit;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import io.headrace.train.net.Net;
import io.headrace.train.net.Net.Kind;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// Steps against `torch.optim.SGD`'s formula, worked out by hand.
final class SgdTest {
  @Test
  void stepsAreThoseOfTheFormula() {
    Learner.begin(1);
    try (var net = new Net(new Net.Spec(Kind.RESNET18, 2, 0.1, true), 1)) {
      var sgd = new Sgd(net.weights(), 0.9, 0.01);
      NDArray bias = net.weights().get("fc.bias");
      bias.set(new float[] {1, -2});
      double[] weight = {1, -2};
      var velocity = new double[2];
      for (int step = 0; step < 3; step++) {
        // the gradient of 3 · b₀ − b₁, whatever the other weights are
        try (NDManager scratch = net.weights().manager().newSubManager();
            GradientCollector collector = Engine.getInstance().newGradientCollector()) {
          NDArray scores = net.forward(scratch.zeros(new Shape(1, 3, 16, 16)), false);
          NDArray loss = scores.mul(scratch.create(new float[] {3, -1})).sum();
          collector.backward(loss);
        }
        sgd.step(0.5, 1);
        for (int i = 0; i < 2; i++) {
          velocity[i] = 0.9 * velocity[i] + (i == 0 ? 3 : -1) + 0.01 * weight[i];
          weight[i] -= 0.5 * velocity[i];
        }
        float[] found = bias.toFloatArray();
        assertThat((double) found[0]).isCloseTo(weight[0], Offset.offset(1e-4));
        assertThat((double) found[1]).isCloseTo(weight[1], Offset.offset(1e-4));
      }
    }
  }
}
