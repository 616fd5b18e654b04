package io.headrace.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The search goes by meaning, not by left and right: towards encoded pictures where loading is the
/// bottleneck, towards raw ones where decoding is.
final class LiquidSearchTest {
  @Test
  void whereOnlyLoadingBindsAllIsEncoded() throws IOException, InterruptedException {
    assertThat(new MixSearch(raw -> new double[] {100 - raw, 1000 + raw}).run()).isZero();
  }

  @Test
  void whereOnlyDecodingBindsAllIsRaw() throws IOException, InterruptedException {
    assertThat(new MixSearch(raw -> new double[] {1000 - raw, 100 + raw}).run()).isEqualTo(10);
  }

  @Test
  void whatBalancesIsFoundAtOnce() throws IOException, InterruptedException {
    var search = new MixSearch(raw -> new double[] {150 - 10 * raw, 50 + 10 * raw});
    assertThat(search.run()).isEqualTo(5);
    assertThat(search.measured()).isEqualTo(1);
  }

  /// Law: of loading that falls and decoding that rises, the best of eleven mixes is found by at
  /// most six measurements.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void theBestIsFound(long seed) throws IOException, InterruptedException {
    var random = new SplittableRandom(seed);
    double[] load = new double[11];
    double[] decode = new double[11];
    double fall = 100 + random.nextDouble(200);
    double rise = random.nextDouble(200);
    for (int raw = 0; raw <= 10; raw++) {
      load[raw] = fall;
      decode[raw] = rise;
      fall *= 1 - 0.3 * random.nextDouble() - 1e-6;
      rise += 40 * random.nextDouble() + 1e-6;
    }
    double best = 0;
    for (int raw = 0; raw <= 10; raw++) {
      best = Math.max(best, Math.min(load[raw], decode[raw]));
    }
    Set<Integer> asked = new HashSet<>();
    int found =
        new MixSearch(
                raw -> {
                  asked.add(raw);
                  return new double[] {load[raw], decode[raw]};
                })
            .run();
    assertThat(Math.min(load[found], decode[found])).isEqualTo(best);
    assertThat(asked).hasSizeLessThanOrEqualTo(6).contains(5);
  }
}
