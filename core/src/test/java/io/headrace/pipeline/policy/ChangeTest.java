package io.headrace.pipeline.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.DecodeException;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Torchvision;
import io.headrace.pipeline.Torchvision.Case;
import io.headrace.pipeline.geometry.Warp;
import io.headrace.pipeline.step.Canvas;
import io.headrace.pipeline.step.Drawn;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Changes of policies are those of torchvision, and so are their magnitudes.
final class ChangeTest {
  private static List<Case> changes() {
    return Torchvision.cases("change");
  }

  @ParameterizedTest
  @MethodSource("changes")
  void changes(Case expected) throws DecodeException {
    Warp.Look look =
        expected.words().get(3).equals("bilinear") ? Warp.Look.BILINEAR : Warp.Look.NEAREST;
    var effects = new Drawn();
    Change.valueOf(expected.words().get(1))
        .add(
            effects,
            Torchvision.HEIGHT,
            Torchvision.WIDTH,
            look,
            Double.parseDouble(expected.words().get(2)));
    try (var canvas = new Canvas(MemoryBudget.unbounded())) {
      canvas.begin(Torchvision.HEIGHT, Torchvision.WIDTH);
      System.arraycopy(Torchvision.image(), 0, canvas.pixels(), 0, 3 * canvas.area());
      canvas.run(effects.part(0));
      Torchvision.check(canvas.pixels(), expected);
    }
  }

  /// Source: `_AUGMENTATION_SPACE` in torchvision's `transforms/v2/_auto_augment.py`.
  @Test
  void magnitudes() {
    assertThat(Choice.WIDE.magnitude(Change.POSTERIZE, 30, 31, 9, 9)).isEqualTo(2);
    assertThat(Choice.WIDE.magnitude(Change.POSTERIZE, 7, 31, 9, 9)).isEqualTo(7); // 8 - 1.4
    assertThat(Choice.WIDE.magnitude(Change.ROTATE, 10, 31, 9, 9)).isEqualTo(45);
    assertThat(Choice.WIDE.magnitude(Change.TRANSLATE_X, 30, 31, 9, 500)).isEqualTo(32);
    assertThat(Choice.USUAL.magnitude(Change.TRANSLATE_X, 9, 10, 9, 331))
        .isCloseTo(150, within(1e-9));
    assertThat(Choice.USUAL.magnitude(Change.TRANSLATE_Y, 9, 10, 331, 9))
        .isCloseTo(150, within(1e-9));
    assertThat(Choice.USUAL.magnitude(Change.POSTERIZE, 9, 31, 9, 9)).isEqualTo(7); // 8 - 1.2
    assertThat(Choice.USUAL.magnitude(Change.SOLARIZE, 9, 31, 9, 9)).isCloseTo(0.7, within(1e-9));
    assertThat(Choice.MIXED.magnitude(Change.POSTERIZE, 2, 10, 9, 9)).isEqualTo(3); // 4 - 0.89
    assertThat(Choice.MIXED.magnitude(Change.TRANSLATE_X, 9, 10, 9, 30))
        .isCloseTo(10, within(1e-9));
    assertThat(Choice.MIXED.magnitude(Change.SHEAR_X, 9, 10, 9, 30)).isCloseTo(0.3, within(1e-9));
  }
}
