package io.headrace.train.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.load.plan.FidelityMix;
import io.headrace.train.fit.Recipe.Schedule;
import io.headrace.train.net.Net.Kind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Recipes, stages and the tuner's rules against the papers' own numbers.
final class RecipeTest {
  @Test
  void usualValuesAreThePapers() {
    Recipe resnet50 = Recipe.usual(Kind.RESNET50, 256);
    assertThat(resnet50.rate()).isEqualTo(0.256);
    assertThat(resnet50.momentum()).isEqualTo(0.875);
    assertThat(resnet50.decay()).isEqualTo(6.1035e-5);
    assertThat(resnet50.smoothing()).isEqualTo(0.1);
    assertThat(Recipe.usual(Kind.RESNET50, 768).rate()).isCloseTo(0.768, within(1e-12));
    assertThat(Recipe.usual(Kind.RESNET18, 1536).rate()).isCloseTo(1.536, within(1e-12));
    assertThat(Recipe.usual(Kind.ALEXNET, 512).rate()).isEqualTo(0.0512);
  }

  @Test
  void theCosineRisesAndFalls() {
    var recipe = new Recipe(1, 0, 0, 0, 8, Schedule.COSINE);
    assertThat(recipe.rateOf(0, 90)).isEqualTo(1.0 / 8);
    assertThat(recipe.rateOf(7, 90)).isEqualTo(1);
    assertThat(recipe.rateOf(8, 90)).isEqualTo(1);
    assertThat(recipe.rateOf(49, 90)).isCloseTo(0.5, within(1e-12));
    assertThat(recipe.rateOf(89, 90)).isCloseTo(0.000367, within(1e-6));
  }

  @Test
  void stepsAreTenthsEveryThirtyOfNinety() {
    var recipe = new Recipe(0.1, 0, 0, 0, 0, Schedule.STEPS);
    assertThat(recipe.rateOf(29, 90)).isCloseTo(0.1, within(1e-12));
    assertThat(recipe.rateOf(30, 90)).isCloseTo(0.01, within(1e-12));
    assertThat(recipe.rateOf(60, 90)).isCloseTo(0.001, within(1e-12));
  }

  @Test
  void stagesAreRead() {
    List<Stage> stages = Stage.parseAll("80@out/low:fidelity=1, 10@train:rate=0.5");
    assertThat(stages)
        .containsExactly(
            new Stage(80, Path.of("out/low"), FidelityMix.of(1), 1),
            new Stage(10, Path.of("train"), null, 0.5));
    assertThat(Stage.total(stages)).isEqualTo(90);
    assertThat(Stage.at(stages, 79)).isZero();
    assertThat(Stage.at(stages, 80)).isEqualTo(1);
    assertThat(Stage.parseAll("5")).containsExactly(new Stage(5, null, null, 1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0@x", "-1@x", "x@y", "5@y:fidelity", "5@y:speed=2", "5@y:rate=0", "5,"})
  void senselessStagesAreRefused(String text) {
    assertThatThrownBy(() -> Stage.parseAll(text)).isInstanceOf(ConfigException.class);
  }

  @Test
  void theTunerTakesTheLeastFidelityThatPoints() {
    CosineTuner tuner = CosineTuner.parse("auto");
    assertThat(tuner).isEqualTo(CosineTuner.USUAL);
    assertThat(tuner.choose(new double[] {0.5, 0.8, 0.81, 1})).isEqualTo(3);
    assertThat(tuner.choose(new double[] {0.1, 0.2, 1})).isEqualTo(3);
    assertThat(tuner.due(4, 100)).isFalse();
    assertThat(tuner.due(5, 0)).isTrue();
    assertThat(tuner.due(19, 14)).isFalse();
    assertThat(tuner.due(20, 15)).isTrue();
    assertThat(CosineTuner.parse("auto:0.9:first=1:every=2:batches=3"))
        .isEqualTo(new CosineTuner(0.9, 1, 2, 3));
    assertThatThrownBy(() -> CosineTuner.parse("auto:1.5")).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> CosineTuner.parse("auto:last=1")).isInstanceOf(ConfigException.class);
  }

  @Test
  void tunersAreRead() {
    assertThat(FidelityTuner.parse("auto")).isEqualTo(CosineTuner.USUAL);
    assertThat(FidelityTuner.parse("msssim")).isEqualTo(new LikenessTuner(0.95, 256));
    assertThat(FidelityTuner.parse("msssim:0.9:pictures=8")).isEqualTo(new LikenessTuner(0.9, 8));
    for (String wrong : List.of("psnr", "msssim:1", "msssim:x", "msssim:0.9:pictures=0")) {
      assertThatThrownBy(() -> FidelityTuner.parse(wrong)).isInstanceOf(ConfigException.class);
    }
  }

  @Test
  void cosinesAreOfTheAngle() {
    assertThat(Gradients.cosine(new float[] {1, 0}, new float[] {2, 0})).isEqualTo(1);
    assertThat(Gradients.cosine(new float[] {1, 0}, new float[] {0, 3})).isZero();
    assertThat(Gradients.cosine(new float[] {1, 1}, new float[] {-1, -1}))
        .isCloseTo(-1, within(1e-12));
    assertThat(Gradients.cosine(new float[] {0, 0}, new float[] {1, 1})).isZero();
  }
}
