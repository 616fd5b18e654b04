package io.headrace.pipeline;

import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Torchvision.Case;
import io.headrace.pipeline.geometry.Perspective;
import io.headrace.pipeline.geometry.Warp;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.Drawn;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Steps with given factors give what torchvision's functional forms give, within one level.
final class TorchvisionTest {
  private static List<Case> steps() {
    return Torchvision.cases("step");
  }

  private static List<Case> corners() {
    return Torchvision.cases("corners");
  }

  @ParameterizedTest
  @MethodSource("steps")
  void steps(Case expected) throws DecodeException {
    byte[] rgb = Torchvision.interleaved(Torchvision.image());
    var picture = new Picture(Torchvision.HEIGHT, Torchvision.WIDTH, rgb);
    Torchvision.check(Processing.run(expected.words().get(1) + ",chw", picture), expected);
  }

  @ParameterizedTest
  @MethodSource("corners")
  void corners(Case expected) throws DecodeException {
    double[] at = expected.words().stream().skip(1).mapToDouble(Double::parseDouble).toArray();
    var effects = new Drawn();
    Perspective.add(
        effects,
        Torchvision.WIDTH,
        Torchvision.HEIGHT,
        Warp.Look.BILINEAR,
        at[0],
        at[1],
        at[2],
        at[3],
        at[4],
        at[5],
        at[6],
        at[7]);
    try (var canvas = new Canvas(MemoryBudget.unbounded())) {
      canvas.begin(Torchvision.HEIGHT, Torchvision.WIDTH);
      System.arraycopy(Torchvision.image(), 0, canvas.pixels(), 0, 3 * canvas.area());
      canvas.run(effects.part(0));
      Torchvision.check(canvas.pixels(), expected);
    }
  }
}
