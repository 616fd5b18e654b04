package io.headrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.random.CounterRandom;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ReadPlanTest {
  private static ReadPlan three(long gap, long limit) {
    var plan = new ReadPlan();
    plan.add(0, 300, 50);
    plan.add(0, 0, 100);
    plan.add(0, 110, 90);
    plan.plan(gap, limit);
    return plan;
  }

  @Test
  void neighboursWithinTheGapAreReadTogether() {
    ReadPlan two = three(10, 1000);
    assertThat(two.requests()).isEqualTo(2);
    assertThat(two.offset(0)).isZero();
    assertThat(two.length(0)).isEqualTo(200);
    assertThat(two.piecesOf(0)).isEqualTo(2);
    assertThat(two.bytesOfPieces(0)).isEqualTo(190);
    assertThat(two.offset(1)).isEqualTo(300);
    assertThat(two.requestOf(0)).isEqualTo(1);
    assertThat(two.requestOf(1)).isZero();
    assertThat(two.requestOf(2)).isZero();
    assertThat(three(100, 1000).requests()).isEqualTo(1);
    assertThat(three(100, 1000).length(0)).isEqualTo(350);
    assertThat(three(9, 1000).requests()).isEqualTo(3);
    assertThat(three(100, 200).requests()).isEqualTo(2);
    var none = new ReadPlan();
    none.plan(100, 200);
    assertThat(none.requests()).isZero();
  }

  @Test
  void filesAreNotMixed() {
    var plan = new ReadPlan();
    plan.add(1, 0, 10);
    plan.add(0, 10, 10);
    plan.add(1, 10, 10);
    plan.add(0, 0, 10);
    plan.plan(0, 1000);
    assertThat(plan.requests()).isEqualTo(2);
    assertThat(plan.requestOf(1)).isEqualTo(plan.requestOf(3)).isZero();
    assertThat(plan.requestOf(0)).isEqualTo(plan.requestOf(2)).isEqualTo(1);
    assertThat(plan.is(2, 1, 10, 10)).isTrue();
    assertThat(plan.is(2, 0, 10, 10)).isFalse();
    plan.clear();
    assertThat(plan.pieces()).isZero();
  }

  @Test
  void aPieceOverTheLimitIsStillReadAtOnce() {
    var plan = new ReadPlan();
    plan.add(0, 5, 5000);
    plan.plan(0, 10);
    assertThat(plan.requests()).isEqualTo(1);
    assertThat(plan.length(0)).isEqualTo(5000);
  }

  /// Laws: each piece lies in one request of its file; requests rise; no request is over the limit
  /// unless it is one piece; between the pieces of a request no hole is over the gap.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void laws(long seed) {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    var plan = new ReadPlan();
    int count = random.nextInt(200);
    int[] files = new int[count];
    long[][] pieces = new long[count][];
    for (int i = 0; i < count; i++) {
      files[i] = random.nextInt(3);
      pieces[i] = new long[] {random.nextInt(100_000), random.nextInt(4000)};
      plan.add(files[i], pieces[i][0], pieces[i][1]);
    }
    long gap = random.nextInt(5000);
    long limit = 1L + random.nextInt(20_000);
    plan.plan(gap, limit);
    int seen = 0;
    for (int request = 0; request < plan.requests(); request++) {
      int r = request;
      int[] own = IntStream.range(0, count).filter(i -> plan.requestOf(i) == r).toArray();
      assertThat(own).hasSize(plan.piecesOf(r)).isNotEmpty();
      assertThat(Arrays.stream(own).map(i -> files[i]).distinct().count()).isEqualTo(1);
      long[][] sorted =
          Arrays.stream(own)
              .mapToObj(i -> pieces[i])
              .sorted((a, b) -> Long.compare(a[0], b[0]))
              .toArray(long[][]::new);
      long end = plan.offset(r);
      long sum = 0;
      assertThat(sorted[0][0]).isEqualTo(end);
      for (long[] piece : sorted) {
        assertThat(piece[0] - end).isLessThanOrEqualTo(gap);
        end = Math.max(end, piece[0] + piece[1]);
        sum += piece[1];
      }
      assertThat(plan.offset(r) + plan.length(r)).isEqualTo(end);
      assertThat(plan.bytesOfPieces(r)).isEqualTo(sum);
      assertThat(plan.length(r) <= limit || own.length == 1).isTrue();
      seen += own.length;
    }
    assertThat(seen).isEqualTo(count);
  }
}
