package io.headrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.DecodeException;
import io.headrace.pipeline.geometry.Flip;
import io.headrace.pipeline.geometry.RandomResizedCrop;
import io.headrace.pipeline.resize.Stage;
import io.headrace.pipeline.step.Plan;
import io.headrace.random.CounterRandom;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Random steps draw what they should, and the same everywhere and always.
final class RandomStepsTest {
  private static String boxes(String spec, int height, int width, int samples)
      throws DecodeException {
    var plan = new Plan(Pipeline.parse(spec).steps());
    var random = new CounterRandom();
    var text = new StringBuilder();
    for (int id = 0; id < samples; id++) {
      random.reset(42, 1, id);
      plan.set(height, width, random);
      Stage stage = plan.last();
      boolean resized = !stage.copies();
      text.append(resized ? stage.boxTop : stage.top)
          .append(' ')
          .append(resized ? stage.boxLeft : stage.left)
          .append(' ')
          .append(resized ? stage.boxHeight : stage.height)
          .append('x')
          .append(resized ? stage.boxWidth : stage.width)
          .append(stage.flipped ? " flipped\n" : "\n");
    }
    return text.toString();
  }

  /// Releases must not change what a seed means.
  @Test
  void golden() throws DecodeException {
    assertThat(boxes("random_resized_crop=224,flip", 375, 500, 6))
        .isEqualTo(
            """
            47 106 258x263
            49 17 272x355
            5 185 225x288
            89 193 231x272 flipped
            44 78 288x349
            1 99 373x283 flipped
            """);
    assertThat(boxes("flip,random_crop=224", 256, 341, 4))
        .isEqualTo(
            """
            28 116 224x224
            31 61 224x224 flipped
            30 113 224x224 flipped
            25 45 224x224 flipped
            """);
    assertThat(boxes("random_resized_crop=32:area=0.9-1:aspect=0.5-0.6", 40, 500, 2))
        .isEqualTo(
            """
            0 238 40x24
            0 238 40x24
            """);
  }

  @Test
  void areasAndAspectsCoverTheirRanges() throws DecodeException {
    var step = new RandomResizedCrop(16, 16, 0.2, 0.6, 0.5, 2);
    var plan = new Plan(List.of(step));
    var random = new CounterRandom();
    int n = 20_000;
    double areas = 0;
    double logAspects = 0;
    double tops = 0;
    for (int id = 0; id < n; id++) {
      random.reset(7, 0, id);
      plan.set(1000, 1000, random);
      Stage stage = plan.last();
      double area = stage.boxHeight * stage.boxWidth / 1e6;
      double aspect = (double) stage.boxWidth / stage.boxHeight;
      assertThat(area).isBetween(0.2 - 0.002, 0.6 + 0.002);
      assertThat(aspect).isBetween(0.5 - 0.003, 2 + 0.01);
      areas += area;
      logAspects += Math.log(aspect);
      tops += stage.boxTop / (double) Math.max(1, 1000 - stage.boxHeight);
    }
    assertThat(areas / n).isCloseTo(0.394, within(0.008)); // a little below 0.4: some do not fit
    assertThat(logAspects / n).isCloseTo(0, within(0.02));
    assertThat(tops / n).isCloseTo(0.5, within(0.02));
  }

  @Test
  void flipsAsOftenAsAsked() throws DecodeException {
    var plan = new Plan(List.of(new Flip(false, 0.3)));
    var random = new CounterRandom();
    int flips = 0;
    for (int id = 0; id < 10_000; id++) {
      random.reset(1, 2, id);
      plan.set(4, 4, random);
      flips += plan.last().flipped ? 1 : 0;
    }
    assertThat(flips).isBetween(2800, 3200);
  }

  @Test
  void pixelsDependOnSeedEpochAndIdOnly() throws DecodeException {
    var pipeline = Pipeline.parse("random_resized_crop=16,flip");
    Picture picture = Picture.random(60, 80, 1);
    byte[] once = Processing.run(pipeline, picture, 5, 1, 9);
    assertThat(Processing.run(pipeline, picture, 5, 1, 9)).isEqualTo(once);
    assertThat(Processing.run(pipeline, picture, 5, 2, 9)).isNotEqualTo(once);
    assertThat(Processing.run(pipeline, picture, 6, 1, 9)).isNotEqualTo(once);
    assertThat(Processing.run(pipeline, picture, 5, 1, 8)).isNotEqualTo(once);
  }
}
