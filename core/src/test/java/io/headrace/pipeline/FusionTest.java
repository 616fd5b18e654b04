package io.headrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.DecodeException;
import io.headrace.memory.DType;
import io.headrace.memory.Layout;
import io.headrace.pipeline.geometry.CenterCrop;
import io.headrace.pipeline.geometry.Flip;
import io.headrace.pipeline.geometry.RandomCrop;
import io.headrace.pipeline.geometry.RandomResizedCrop;
import io.headrace.pipeline.geometry.Resize;
import io.headrace.pipeline.geometry.ResizeShorter;
import io.headrace.pipeline.resize.Values;
import io.headrace.pipeline.step.Step;
import io.headrace.pipeline.values.Cast;
import io.headrace.pipeline.values.Normalize;
import io.headrace.pipeline.values.ToLayout;
import io.headrace.random.CounterRandom;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// All steps in one pass give what they give one by one.
final class FusionTest {
  /// Law: the fused pass equals the steps in [Picture], whatever the steps, image and place.
  static void fusedEqualsStepByStep(Pipeline pipeline, Picture picture, long seed)
      throws DecodeException {
    var random = new CounterRandom();
    random.reset(seed, 3, 99);
    Picture expected = picture;
    try {
      for (Step step : pipeline.steps()) {
        expected = expected.apply(step, random);
      }
    } catch (DecodeException tooSmall) {
      assertThatThrownBy(() -> Processing.run(pipeline, picture, seed, 3, 99))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining(tooSmall.getMessage());
      return;
    }
    assertThat(Processing.run(pipeline, picture, seed, 3, 99))
        .as("%s of %d x %d", pipeline, picture.height(), picture.width())
        .isEqualTo(expected.rgb());
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyStepsThatMovePixels(long seed) throws DecodeException {
    var random = new Random(seed);
    for (int i = 0; i < 20; i++) {
      List<Step> steps = new ArrayList<>();
      int n = random.nextInt(6);
      for (int s = 0; s < n; s++) {
        steps.add(anyStep(random));
      }
      var pipeline = new Pipeline(steps);
      Picture picture =
          Picture.random(1 + random.nextInt(40), 1 + random.nextInt(40), random.nextLong());
      fusedEqualsStepByStep(pipeline, picture, random.nextLong());
    }
  }

  private static Step anyStep(Random random) {
    int h = 1 + random.nextInt(30);
    int w = 1 + random.nextInt(30);
    return switch (random.nextInt(6)) {
      case 0 -> new Resize(h, w);
      case 1 -> new ResizeShorter(1 + random.nextInt(12));
      case 2 -> new CenterCrop(h, w);
      case 3 -> new RandomCrop(1 + h / 4, 1 + w / 4);
      case 4 -> new RandomResizedCrop(h, w, 0.1, 0.9, 0.5, 2);
      default -> new Flip(false, 0.5);
    };
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void anyResize(long seed) throws DecodeException {
    var random = new Random(seed);
    int h = 1 + random.nextInt(300);
    int w = 1 + random.nextInt(300);
    Picture picture = Picture.random(h, w, seed);
    var step = new Resize(1 + random.nextInt(60), 1 + random.nextInt(60));
    fusedEqualsStepByStep(new Pipeline(List.of(step)), picture, seed);
  }

  @Test
  void fourOrMoreTapsAndWhite() throws DecodeException {
    Picture white = Picture.blank(9, 40_000);
    Arrays.fill(white.rgb(), (byte) 255);
    assertThat(Processing.run("resize=3x1", white)).containsOnly(255);
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void floatsAreTorchvisions(Layout layout) throws DecodeException {
    Picture picture = Picture.random(20, 30, 5);
    Picture cropped = picture.resize(8, 9).flip();
    List<Step> steps =
        new ArrayList<Step>(
            List.of(
                new Resize(8, 9), new Flip(false, 1), Normalize.IMAGENET, new ToLayout(layout)));
    var floats = MemorySegment.ofArray(Processing.run(new Pipeline(steps), picture, 0, 0, 0));
    steps.add(3, new Cast(DType.FLOAT16));
    var halves = MemorySegment.ofArray(Processing.run(new Pipeline(steps), picture, 0, 0, 0));
    steps.set(3, new Cast(DType.BFLOAT16));
    var brains = MemorySegment.ofArray(Processing.run(new Pipeline(steps), picture, 0, 0, 0));
    assertThat(floats.byteSize()).isEqualTo(4 * 8 * 9 * 3);
    for (int y = 0; y < 8; y++) {
      for (int x = 0; x < 9; x++) {
        for (int c = 0; c < 3; c++) {
          int i = layout == Layout.HWC ? (y * 9 + x) * 3 + c : (c * 8 + y) * 9 + x;
          float value = floats.get(Processing.FLOAT, 4L * i);
          double mean = Normalize.IMAGENET.mean().get(c);
          double std = Normalize.IMAGENET.std().get(c);
          int pixel = cropped.get(y, x, c);
          assertThat((double) value).isCloseTo((pixel / 255.0 - mean) / std, within(1e-6));
          assertThat(value).isEqualTo((pixel / 255f - (float) mean) / (float) std);
          assertThat(halves.get(Processing.SHORT, 2L * i)).isEqualTo(Float.floatToFloat16(value));
          assertThat(brains.get(Processing.SHORT, 2L * i)).isEqualTo(nearestBrain(value));
        }
      }
    }
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void brainFloatsRoundToNearestEven(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      float value = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(9) - 4));
      assertThat(Values.bfloat16(value)).isEqualTo(nearestBrain(value));
      float halfway = Float.intBitsToFloat((Float.floatToRawIntBits(value) & 0xffff0000) | 0x8000);
      assertThat(Values.bfloat16(halfway)).isEqualTo(nearestBrain(halfway));
    }
  }

  /// By distance, in doubles, where every candidate and their differences are exact.
  private static short nearestBrain(float value) {
    int below = Float.floatToRawIntBits(value) & 0xffff0000;
    int above = below + 0x10000;
    double toBelow = Math.abs((double) value - Float.intBitsToFloat(below));
    double toAbove = Math.abs((double) value - Float.intBitsToFloat(above));
    boolean even = (below >>> 16) % 2 == 0;
    return (short) ((toBelow < toAbove || (toBelow == toAbove && even) ? below : above) >>> 16);
  }

  @Test
  void centerIsPrestos() throws DecodeException {
    Picture picture = new Picture(1, 1, new byte[] {0, (byte) 255, (byte) 128});
    var out = MemorySegment.ofArray(Processing.run("center", picture));
    assertThat(out.get(Processing.FLOAT, 0)).isEqualTo(-1f);
    assertThat(out.get(Processing.FLOAT, 4)).isEqualTo(1f);
    assertThat(out.get(Processing.FLOAT, 8)).isEqualTo(128 / 127.5f - 1);
  }

  @Test
  void bytesScaleOfMeans() throws DecodeException {
    Picture picture = new Picture(1, 1, new byte[] {10, 20, 30});
    String spec = "normalize=10/10/10:2/4/8:range=255";
    var out = MemorySegment.ofArray(Processing.run(spec, picture));
    assertThat(out.get(Processing.FLOAT, 0)).isEqualTo(0f);
    assertThat(out.get(Processing.FLOAT, 4)).isEqualTo(2.5f);
    assertThat(out.get(Processing.FLOAT, 8)).isEqualTo(2.5f);
  }

  @Test
  void bytesCanBePlanes() throws DecodeException {
    Picture picture = new Picture(1, 2, new byte[] {1, 2, 3, 4, 5, 6});
    assertThat(Processing.run("chw", picture)).containsExactly(1, 4, 2, 5, 3, 6);
  }

  @Test
  void wholeNumbersStayWhole() throws DecodeException {
    Picture picture = new Picture(1, 1, new byte[] {0, 1, (byte) 255});
    var out = MemorySegment.ofArray(Processing.run("bfloat16", picture));
    assertThat(Float.intBitsToFloat(out.get(Processing.SHORT, 4) << 16)).isEqualTo(255f);
  }
}
