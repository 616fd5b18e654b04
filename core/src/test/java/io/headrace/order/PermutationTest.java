package io.headrace.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.random.CounterRandom;
import java.util.BitSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PermutationTest {
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 1000, 65_536, 65_537, 65_538, 131_072, 131_073, 1_000_003})
  void everyNumberComesOnce(long n) {
    Permutation permutation = Permutation.of(n, 7, 3);
    var seen = new BitSet();
    for (long i = 0; i < n; i++) {
      long x = permutation.at(i);
      assertThat(x).isBetween(0L, n - 1);
      seen.set((int) x);
    }
    assertThat(permutation.size()).isEqualTo(n);
    assertThat(seen.cardinality()).isEqualTo((int) n);
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void everyNumberComesOnceForAnySizeSeedAndEpoch(long seed) {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    everyNumberComesOnce(random.nextInt(200_000));
  }

  /// The order is part of the product: whoever changes these numbers changes every user's epochs.
  @Test
  void ordersAreTheSameInEveryRelease() {
    assertThat(first(10, 42, 0)).containsExactly(GOLDEN_SMALL);
    assertThat(first(100_000, 42, 0)).containsExactly(GOLDEN_LARGE);
    assertThat(first(100_000, 42, 1)).containsExactly(GOLDEN_LARGE_NEXT);
  }

  private static final long[] GOLDEN_SMALL = {6, 9, 3, 5, 2, 4, 1, 7, 0, 8};
  private static final long[] GOLDEN_LARGE = {
    45645, 67753, 87819, 75208, 66997, 65083, 1529, 44418, 65204, 47489
  };
  private static final long[] GOLDEN_LARGE_NEXT = {
    87409, 23257, 7696, 43154, 55915, 8206, 6816, 63034, 20759, 52257
  };

  private static long[] first(long n, long seed, long epoch) {
    Permutation permutation = Permutation.of(n, seed, epoch);
    return LongStream.range(0, 10).map(permutation::at).toArray();
  }

  /// With n samples the expected number of fixed points is 1 and of samples that keep their
  /// follower is (n − 1) / n, whatever the shuffle is used for.
  @ParameterizedTest
  @ValueSource(longs = {1000, 100_000})
  void fixedPointsAndKeptNeighboursAreAsRareAsChance(long n) {
    double fixed = 0;
    double kept = 0;
    int rounds = 200;
    for (int epoch = 0; epoch < rounds; epoch++) {
      Permutation permutation = Permutation.of(n, 1, epoch);
      for (long i = 0; i < n; i++) {
        long x = permutation.at(i);
        fixed += x == i ? 1 : 0;
        kept += i > 0 && x == permutation.at(i - 1) + 1 ? 1 : 0;
      }
    }
    assertThat(fixed / rounds).isCloseTo(1, within(0.4));
    assertThat(kept / rounds).isCloseTo(1, within(0.4));
  }

  /// Chi-squared over 16 × 16 cells of (position, sample): 225 degrees of freedom, mean 225,
  /// standard deviation 21; the bound is five deviations away.
  @Test
  void positionsAndSamplesAreIndependentAboveTheExactLimit() {
    int n = 160_000;
    for (int epoch = 0; epoch < 5; epoch++) {
      Permutation permutation = Permutation.of(n, 99, epoch);
      int[] cells = new int[256];
      for (int i = 0; i < n; i++) {
        cells[(int) (i * 16L / n * 16 + permutation.at(i) * 16 / n)]++;
      }
      double expected = n / 256.0;
      double chi = 0;
      for (int cell : cells) {
        chi += (cell - expected) * (cell - expected) / expected;
      }
      assertThat(chi).isLessThan(225 + 5 * 21);
    }
  }
}
