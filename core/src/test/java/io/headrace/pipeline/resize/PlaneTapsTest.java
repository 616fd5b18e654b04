package io.headrace.pipeline.resize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.codec.JpegScale;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Weights for planes, and the filters along rows.
final class PlaneTapsTest {
  private static final double ONE = 1 << AxisTaps.PRECISION_BITS;

  /// One axis of a picture, and what is made of it.
  private record Axis(
      int extent, int start, int length, int resized, int from, int outputs, boolean mirrored) {
    static Axis any(Random random) {
      int extent = 1 + random.nextInt(random.nextInt(10) == 0 ? 900 : 120);
      int start = random.nextInt(extent);
      int length = 1 + random.nextInt(extent - start);
      int resized = 1 + random.nextInt(60);
      int from = random.nextInt(resized);
      int outputs = 1 + random.nextInt(resized - from);
      return new Axis(extent, start, length, resized, from, outputs, random.nextBoolean());
    }

    PlaneTaps taps(JpegScale scale, int factor) {
      var taps = new PlaneTaps();
      taps.box(extent, start, length, resized, scale);
      taps.prepare(from, outputs, mirrored, factor);
      return taps;
    }
  }

  /// Law: at full size, weights are those of [Taps], whatever the box.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void luminanceIsFilteredAsColours(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 3; i++) {
      Axis axis = Axis.any(random);
      var exact = new Taps();
      exact.prepare(axis.length, axis.resized, axis.from, axis.outputs, axis.mirrored);
      AxisTaps taps = axis.taps(JpegScale.FULL, 0).luma();
      for (int o = 0; o < axis.outputs; o++) {
        double[] expected = new double[axis.extent];
        for (int t = 0; t < exact.count(); t++) {
          expected[axis.start + exact.first()[o] + t] +=
              exact.weights()[o * exact.count() + t] / (double) (1 << Taps.PRECISION_BITS);
        }
        assertThat(spread(taps, o, axis.extent))
            .as("%s output %d", axis, o)
            .containsExactly(expected, within(1.5 / ONE));
      }
    }
  }

  /// Law: weights of chrominance are those of luminance after upsampling, read backwards.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void chrominanceIsUpsampledFirst(long seed) {
    var random = new Random(seed);
    int[] factors = {1, 2, 4};
    int[] eighths = {1, 2, 4, 8};
    for (int i = 0; i < 3; i++) {
      Axis axis = Axis.any(random);
      int factor = factors[random.nextInt(3)];
      var scale = new JpegScale(eighths[random.nextInt(4)]);
      PlaneTaps taps = axis.taps(scale, factor);
      int samples = scale.scaled(axis.extent);
      int chroma = Math.ceilDiv(samples, factor);
      for (int o = 0; o < axis.outputs; o++) {
        double[] luma = spread(taps.luma(), o, samples);
        double[] expected = new double[chroma];
        for (int x = 0; x < samples; x++) {
          int far =
              factor != 2
                  ? x / factor
                  : Math.clamp(x % 2 == 0 ? x / 2 - 1 : x / 2 + 1, 0, chroma - 1);
          expected[x / factor] += 0.75 * luma[x];
          expected[far] += 0.25 * luma[x];
        }
        assertThat(spread(taps.chroma(), o, chroma))
            .as("%s at %s by %d, output %d", axis, scale, factor, o)
            .containsExactly(expected, within(4 / ONE));
      }
    }
  }

  /// {@return weights by sample, which add up to 1 and lie where the taps say}
  private static double[] spread(AxisTaps taps, int output, int samples) {
    double[] weights = new double[samples];
    int sum = 0;
    for (int t = 0; t < taps.count(); t++) {
      int weight = taps.weights()[t * taps.outputs() + output];
      int sample = taps.first()[output] + t;
      assertThat(weight).isNotNegative();
      assertThat(sample).isBetween(taps.begin(), taps.end() - 1);
      weights[sample] += weight / ONE;
      sum += weight;
    }
    assertThat(sum).isEqualTo(1 << AxisTaps.PRECISION_BITS);
    return weights;
  }

  /// Law: however rows are filtered, results are those of the plain sum.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void allFiltersAgree(long seed) {
    var random = new Random(seed);
    var scalar = new ScalarAcross();
    AcrossFilter fastest = AcrossFilter.vector();
    for (int i = 0; i < 4; i++) {
      Axis axis = Axis.any(random);
      PlaneTaps both = axis.taps(JpegScale.FULL, 2);
      AxisTaps taps = random.nextBoolean() ? both.luma() : both.chroma();
      int columns = taps.end() - taps.begin();
      int stride = columns + random.nextInt(5);
      byte[] samples = new byte[2 * stride + columns + AcrossFilter.SLACK];
      random.nextBytes(samples);
      for (int r = 0; r < 3; r++) {
        if (random.nextInt(4) == 0) {
          Arrays.fill(samples, r * stride, r * stride + columns, (byte) 0xff);
        }
      }
      for (AcrossFilter filter : new AcrossFilter[] {scalar, fastest}) {
        int[][] out = new int[3][taps.outputs() + AcrossFilter.SLACK];
        filter.prepare(taps);
        filter.rows(samples, stride, out[0], out[1], out[2]);
        for (int r = 0; r < 3; r++) {
          for (int o = 0; o < taps.outputs(); o++) {
            assertThat(out[r][o])
                .as("%s, %s, row %d, output %d", axis, filter.getClass(), r, o)
                .isEqualTo(sum(taps, samples, r * stride, o));
          }
        }
      }
    }
  }

  private static int sum(AxisTaps taps, byte[] samples, int row, int output) {
    int sum = 0;
    for (int t = 0; t < taps.count(); t++) {
      int sample = row + taps.first()[output] - taps.begin() + t;
      sum += taps.weights()[t * taps.outputs() + output] * (samples[sample] & 0xff);
    }
    return (sum + AcrossFilter.HALF) >> AcrossFilter.SHIFT;
  }

  /// The build starts tests with the module, so that both filters are tested.
  @Test
  void vectorsAreThere() {
    assertThat(AcrossFilter.vectors()).isTrue();
    assertThat(AcrossFilter.vector()).isInstanceOf(VectorAcross.class);
  }
}
