package io.headrace.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OrderSpecTest {
  private static final String[] SPECS = {
    "full",
    "sequential",
    "buffer:100",
    "interleave:4:100",
    "interleave:16:1",
    "block:64:8",
    "block:7:1",
    "block:1000:3"
  };

  private static long[] order(String spec, long n, long seed, long epoch) {
    Permutation permutation = Permutation.of(OrderSpec.parse(spec), n, seed, epoch);
    assertThat(permutation.size()).isEqualTo(n);
    return LongStream.range(0, n).map(permutation::at).toArray();
  }

  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void everySampleComesOnceInAnyOrder(long seed) {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    int n = random.nextInt(random.nextInt(4) == 0 ? 12 : 3000);
    String[] more = {
      "buffer:" + (1 + random.nextInt(50)),
      "interleave:" + (1 + random.nextInt(9)) + ":" + (1 + random.nextInt(50)),
      "block:" + (1 + random.nextInt(99)) + ":" + (1 + random.nextInt(9))
    };
    for (String[] specs : List.of(SPECS, more)) {
      for (String spec : specs) {
        var seen = new BitSet();
        for (long sample : order(spec, n, seed, 3)) {
          seen.set(Math.toIntExact(sample));
        }
        assertThat(seen.cardinality()).as(spec).isEqualTo(n);
        assertThat(seen.length()).as(spec).isEqualTo(n);
      }
    }
  }

  /// Odd input 147 for orders: the same whenever asked, in any pattern of asking.
  @ParameterizedTest
  @ValueSource(strings = {"full", "buffer:100", "interleave:4:100", "block:64:8", "block:7:2"})
  void anOrderIsAFunctionOfSeedAndEpochAlone(String spec) {
    long[] once = order(spec, 2003, 7, 4);
    assertThat(order(spec, 2003, 7, 4)).isEqualTo(once);
    assertThat(order(spec, 2003, 7, 5)).isNotEqualTo(once);
    assertThat(order(spec, 2003, 8, 4)).isNotEqualTo(once);
    Permutation permutation = Permutation.of(OrderSpec.parse(spec), 2003, 7, 4);
    for (int p = 2002; p >= 0; p -= 13) {
      assertThat(permutation.at(p)).isEqualTo(once[p]);
      assertThat(permutation.at((p * 7L) % 2003)).isEqualTo(once[(p * 7) % 2003]);
    }
  }

  /// The orders are part of the product, as those of full shuffles.
  @Test
  void ordersAreTheSameInEveryRelease() {
    assertThat(order("buffer:4", 10, 42, 0)).containsExactly(GOLDEN_BUFFER);
    assertThat(order("interleave:2:3", 10, 42, 0)).containsExactly(GOLDEN_INTERLEAVE);
    assertThat(order("block:3:2", 10, 42, 0)).containsExactly(GOLDEN_BLOCK);
  }

  private static final long[] GOLDEN_BUFFER = {0, 4, 1, 3, 2, 5, 7, 9, 6, 8};
  private static final long[] GOLDEN_INTERLEAVE = {6, 5, 9, 3, 1, 2, 7, 0, 4, 8};
  private static final long[] GOLDEN_BLOCK = {4, 0, 1, 3, 2, 5, 9, 6, 7, 8};

  /// Odd inputs 137, 141, 145: ranks differ by one sample at most; an epoch is taken up twice, then
  /// by another world, and what is delivered in all is each sample once.
  @ParameterizedTest
  @ValueSource(strings = {"full", "sequential", "buffer:10", "interleave:3:10", "block:8:2"})
  void anEpochIsTakenUpAgainByAnyWorld(String spec) {
    int n = 128;
    Permutation permutation = Permutation.of(OrderSpec.parse(spec), n, 5, 1);
    List<Long> delivered = new ArrayList<>();
    int[][] legs = {{30, 1}, {40, 2}, {44, 4}, {n, 3}};
    int done = 0;
    for (int[] leg : legs) {
      List<Long> ahead = new ArrayList<>();
      long most = 0;
      long least = n;
      for (int rank = 0; rank < leg[1]; rank++) {
        var order = new EpochOrder(permutation, done, rank, leg[1]);
        most = Math.max(most, order.count());
        least = Math.min(least, order.count());
        for (long p = 0; p < order.count(); p++) {
          if (rank + p * leg[1] + done < leg[0]) {
            ahead.add(order.sampleAt(p));
          }
        }
      }
      assertThat(most - least).isLessThanOrEqualTo(1);
      delivered.addAll(ahead);
      done = leg[0];
    }
    assertThat(delivered).hasSize(n).doesNotHaveDuplicates();
    assertThatThrownBy(() -> new EpochOrder(permutation, n + 1, 0, 1))
        .isInstanceOf(ConfigException.class)
        .hasMessage("129 samples done of an epoch of 128: expected 0 to all");
  }

  /// No sample comes earlier than the buffer allows.
  @Test
  void aBufferBoundsHowEarlyASampleComes() {
    long[] order = order("buffer:50", 5000, 1, 1);
    for (int p = 0; p < order.length; p++) {
      assertThat(order[p]).isLessThan(p + 50L);
    }
    assertThat(order("buffer:1", 100, 1, 1)).isEqualTo(LongStream.range(0, 100).toArray());
  }

  /// Within a group, samples of the group's blocks alone: so many are in memory at most.
  @Test
  void blocksAreReadOneGroupAtATime() {
    long[] order = order("block:50:4", 5000, 1, 1);
    for (int group = 0; group < 25; group++) {
      assertThat(LongStream.of(order).skip(group * 200L).limit(200).map(s -> s / 50).distinct())
          .hasSize(4);
    }
  }

  /// Correlation with disk order: what each order is worth.
  @ParameterizedTest
  @CsvSource({
    "full,0,0.03",
    "sequential,1,0",
    "buffer:1000,0.948,0.01",
    "interleave:4:1000,0,0.35",
    "block:64:8,0,0.2"
  })
  void correlationWithDiskOrder(String spec, double expected, double tolerance) {
    long[] order = order(spec, 10_000, 3, 2);
    assertThat(ShuffleQuality.diskCorrelation(order.length, p -> order[(int) p]))
        .isCloseTo(expected, within(tolerance));
  }

  @Test
  void qualityOfKnownOrders() {
    assertThat(ShuffleQuality.diskCorrelation(100, p -> p)).isEqualTo(1);
    assertThat(ShuffleQuality.diskCorrelation(100, p -> 99 - p)).isEqualTo(-1);
    assertThat(ShuffleQuality.diskCorrelation(1, p -> p)).isZero();
    assertThat(ShuffleQuality.epochCorrelation(100, p -> 99 - p, p -> 99 - p)).isEqualTo(1);
    assertThat(ShuffleQuality.epochCorrelation(100, p -> 99 - p, p -> p)).isEqualTo(-1);
  }

  /// Ten classes that lie one after the other, batches of 50.
  @Test
  void classBalanceAgainstAFullShuffle() {
    int n = 10_000;
    assertThat(imbalance("full", n)).isCloseTo(1, within(0.1));
    assertThat(imbalance("sequential", n)).isCloseTo(50, within(1.0));
    assertThat(imbalance("buffer:1000", n)).isBetween(10.0, 50.0);
    assertThat(imbalance("block:64:16", n)).isBetween(1.0, 6.0);
    int[] balanced = IntStream.range(0, n).map(i -> i % 10).toArray();
    assertThat(ShuffleQuality.classImbalance(balanced, 50)).isZero();
    assertThat(ShuffleQuality.classImbalance(new int[] {0, 0, 0, 0}, 2)).isEqualTo(1);
    assertThat(ShuffleQuality.classImbalance(new int[0], 2)).isEqualTo(1);
  }

  private static double imbalance(String spec, int n) {
    int[] labels = LongStream.of(order(spec, n, 11, 0)).mapToInt(s -> (int) (s * 10 / n)).toArray();
    return ShuffleQuality.classImbalance(labels, 50);
  }

  @ParameterizedTest
  @CsvSource({
    "full,full",
    "shuffled,full",
    "stored,sequential",
    "buffer,buffer:1024",
    "interleave,interleave:4:1024",
    "interleave:9,interleave:9:1024",
    "block:3,block:3:16",
    "two-region,two-region:stored",
    "two-region:rotate,two-region:rotate",
    "two-region:blocks:9,two-region:blocks:9"
  })
  void specsAreReadAndWritten(String text, String canonical) {
    assertThat(OrderSpec.parse(text)).hasToString(canonical);
    assertThat(OrderSpec.parse(canonical)).isEqualTo(OrderSpec.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "random", "full:3", "buffer:0", "buffer:x", "block:1:2:3", "two-region:up"})
  void unknownOrdersAreRefused(String text) {
    assertThatThrownBy(() -> OrderSpec.parse(text)).isInstanceOf(ConfigException.class);
  }
}
