package io.headrace.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import io.headrace.random.CounterRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Ranks share an epoch as they were told, and the rest of it however often they change.
final class DealTest {
  private static EpochPlan plan(long rest, int world, int batch, String tail, String last) {
    return new Deal(0, world, batch, RanksTail.of(tail), LastBatch.of(last)).plan(rest);
  }

  /// Odd input 137: 10 samples, 3 ranks, batches of 2.
  @ParameterizedTest
  @CsvSource({
    "drop,drop,1,true,4,0", "drop,partial,2,true,1,0", "pad,pad,2,true,0,2",
    "pad,partial,2,true,0,2", "uneven,partial,2,true,0,0", "uneven,drop,2,false,2,0"
  })
  void ranksWithDifferentBatchCounts(
      String tail, String last, long batches, boolean even, long dropped, long padded) {
    assertThat(plan(10, 3, 2, tail, last))
        .isEqualTo(new EpochPlan(10, batches, even, dropped, padded));
  }

  /// Odd input 139: 26 samples in batches of 6.
  @ParameterizedTest
  @CsvSource({"drop,4,2,0", "partial,5,0,0", "pad,5,0,4"})
  void lastBatch(String last, long batches, long dropped, long padded) {
    assertThat(plan(26, 1, 6, "pad", last))
        .isEqualTo(new EpochPlan(26, batches, true, dropped, padded));
    assertThat(plan(24, 1, 6, "pad", last)).isEqualTo(new EpochPlan(24, 4, true, 0, 0));
    assertThat(plan(0, 1, 6, "pad", last)).isEqualTo(new EpochPlan(0, 0, true, 0, 0));
  }

  @Test
  void namesAreTakenBackAndOthersRefused() {
    for (RanksTail tail : RanksTail.values()) {
      assertThat(RanksTail.of(tail.label())).isEqualTo(tail);
    }
    for (LastBatch last : LastBatch.values()) {
      assertThat(LastBatch.of(last.label())).isEqualTo(last);
    }
    assertThatThrownBy(() -> RanksTail.of("wrap"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("tail of ranks 'wrap': expected drop or pad or uneven");
    assertThatThrownBy(() -> new Deal(0, 1, 0, RanksTail.PAD, LastBatch.PAD))
        .isInstanceOf(ConfigException.class);
  }

  /// What was announced is what every rank gets, for any numbers.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void plansHold(long seed) {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    long size = random.nextInt(random.nextInt(2) == 0 ? 12 : 300);
    long done = random.nextInt((int) size + 1);
    int world = 1 + random.nextInt(9);
    int batch = 1 + random.nextInt(12);
    int run = random.nextInt(2) == 0 ? 1 : batch;
    Permutation order = Permutation.of(size, seed, 1);
    for (RanksTail tail : RanksTail.values()) {
      for (LastBatch last : LastBatch.values()) {
        Set<Long> own = new HashSet<>();
        Set<Long> batches = new HashSet<>();
        long slots = 0;
        EpochPlan plan = new Deal(0, world, batch, tail, last).plan(size - done);
        for (int rank = 0; rank < world; rank++) {
          var deal = new Deal(rank, world, batch, tail, last);
          var part = new EpochOrder(order, done, deal, run);
          assertThat(part.count()).isEqualTo(deal.count(size - done));
          for (long p = 0; p < part.count(); p++) {
            boolean fresh = own.add(part.sampleAt(p));
            assertThat(fresh || p >= part.own()).as("dealt once").isTrue();
          }
          long full = (part.count() + batch - 1) / batch;
          slots += last == LastBatch.PAD ? full * batch : part.count();
          batches.add(full);
          assertThat(deal.plan(size - done).batches()).isEqualTo(full);
        }
        assertThat(plan.even()).isEqualTo(batches.size() == 1);
        if (tail != RanksTail.UNEVEN) {
          assertThat(plan.even()).isTrue();
        }
        assertThat(plan.samples()).isEqualTo(size - done);
        assertThat(plan.dropped()).isEqualTo(size - done - own.size());
        assertThat(plan.padded()).isEqualTo(slots - own.size());
      }
    }
  }

  /// An epoch taken up any number of times, by any worlds with any batches, is dealt out once.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void theRestIsDealtOutWhoeverTakesItUp(long seed) {
    var random = new CounterRandom();
    random.reset(seed, 1, 0);
    long size = random.nextInt(500);
    Permutation order = Permutation.of(size, seed, 1);
    List<Long> all = new ArrayList<>();
    long done = 0;
    while (done < size) {
      int world = 1 + random.nextInt(6);
      int batch = 1 + random.nextInt(9);
      int run = random.nextInt(2) == 0 ? 1 : batch;
      long taken = (long) random.nextInt(5) * batch;
      for (int rank = 0; rank < world; rank++) {
        var deal = new Deal(rank, world, batch, RanksTail.PAD, LastBatch.PARTIAL);
        var part = new EpochOrder(order, done, deal, run);
        for (long p = 0; p < Math.min(taken, part.own()); p++) {
          all.add(part.sampleAt(p));
        }
      }
      done = Math.min(size, done + taken * world);
    }
    Collections.sort(all);
    assertThat(all).isEqualTo(LongStream.range(0, size).boxed().toList());
  }

  private static int[][] kinds(int... sizes) {
    int[][] members = new int[sizes.length][];
    int next = 0;
    for (int kind = 0; kind < sizes.length; kind++) {
      members[kind] = new int[sizes[kind]];
      for (int i = 0; i < sizes[kind]; i++) {
        members[kind][i] = next++;
      }
    }
    return members;
  }

  /// With shares that divide the batch, every full batch of every rank has the same numbers.
  @ParameterizedTest
  @CsvSource({"300,100,8,1", "300,100,8,3", "200,200,6,2", "90,10,10,5", "50,0,4,2"})
  void batchesOfEveryRankHaveTheSharesOfKinds(int first, int second, int batch, int world) {
    int size = first + second;
    Permutation order = Permutation.stratified(kinds(first, second), 4, 2);
    Set<Long> seen = new HashSet<>();
    for (int rank = 0; rank < world; rank++) {
      var deal = new Deal(rank, world, batch, RanksTail.UNEVEN, LastBatch.PARTIAL);
      var part = new EpochOrder(order, 0, deal, batch);
      long full = size / (batch * world);
      for (long start = 0; start < full * batch; start += batch) {
        long firsts = 0;
        for (long p = start; p < start + batch; p++) {
          firsts += part.sampleAt(p) < first ? 1 : 0;
        }
        assertThat(firsts).isEqualTo((long) batch * first / size);
      }
      LongStream.range(0, part.count()).map(part::sampleAt).forEach(seen::add);
    }
    assertThat(seen).hasSize(size);
  }

  @Test
  void aConstantMixOfOneKindIsAFullShuffle() {
    assertThat(order(Permutation.stratified(kinds(50), 4, 2), 50))
        .isEqualTo(order(Permutation.of(50, 4, 2), 50));
    assertThat(order(Permutation.stratified(kinds(30, 20), 4, 2), 50))
        .isNotEqualTo(order(Permutation.stratified(kinds(30, 20), 4, 3), 50));
  }

  private static long[] order(Permutation permutation, int count) {
    return LongStream.range(0, count).map(permutation::at).toArray();
  }

  /// The orders are part of the product: whoever changes these numbers changes users' epochs.
  @ParameterizedTest
  @CsvSource({
    "full,6 9 3 5 2 4 1 7 0 8",
    "sequential,0 1 2 3 4 5 6 7 8 9",
    "buffer:4,0 4 1 3 2 5 7 9 6 8",
    "interleave:2:3,6 5 9 3 1 2 7 0 4 8",
    "block:3:2,4 0 1 3 2 5 9 6 7 8"
  })
  void ordersAreTheSameInEveryRelease(String spec, String golden) {
    assertThat(text(Permutation.of(OrderSpec.parse(spec), 10, 42, 0))).isEqualTo(golden);
  }

  @Test
  void otherOrdersAreTheSameInEveryRelease() {
    assertThat(text(Permutation.stratified(kinds(6, 4), 42, 0))).isEqualTo("1 6 0 9 3 5 7 2 8 4");
    var regions = new TwoRegion(10, 4, 2, 42, new OrderSpec.DiskStart.Stored());
    assertThat(text(regions.epoch(0).order()) + " | " + text(regions.epoch(1).order()))
        .isEqualTo("2 4 0 6 3 7 5 1 8 9 | 7 9 6 0 2 1 4 3 5 8");
    var streams = new StreamOrder(10, true, 42, 0);
    StringBuilder drawn = new StringBuilder();
    for (int i = 0; i < 10; i++) {
      drawn.append(streams.shardAt(i)).append(':').append(streams.draw(8)).append(' ');
    }
    assertThat(drawn.toString().strip()).isEqualTo("6:2 9:4 3:1 5:1 2:7 4:4 1:0 7:0 0:0 8:6");
  }

  private static String text(Permutation permutation) {
    return String.join(
        " ",
        LongStream.range(0, permutation.size()).mapToObj(p -> "" + permutation.at(p)).toList());
  }
}
