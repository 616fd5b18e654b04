package io.headrace.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.random.CounterRandom;
import io.headrace.store.ReadPlan.Piece;
import io.headrace.store.ReadPlan.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ReadPlanTest {
  @Test
  void neighboursWithinTheGapAreReadTogether() {
    var pieces = List.of(new Piece(300, 50), new Piece(0, 100), new Piece(110, 90));
    assertThat(ReadPlan.of(pieces, 10, 1000))
        .containsExactly(new Request(0, 200, List.of(1, 2)), new Request(300, 50, List.of(0)));
    assertThat(ReadPlan.of(pieces, 100, 1000))
        .containsExactly(new Request(0, 350, List.of(1, 2, 0)));
    assertThat(ReadPlan.of(pieces, 9, 1000)).hasSize(3);
    assertThat(ReadPlan.of(pieces, 100, 200)).hasSize(2);
    assertThat(ReadPlan.of(List.of(), 100, 200)).isEmpty();
  }

  @Test
  void aPieceOverTheLimitIsStillReadAtOnce() {
    assertThat(ReadPlan.of(List.of(new Piece(5, 5000)), 0, 10))
        .containsExactly(new Request(5, 5000, List.of(0)));
  }

  /// Laws: each piece lies in one request; requests rise; no request is over the limit unless it is
  /// one piece; between the pieces of a request no hole is over the gap.
  @ParameterizedTest(name = "-Dheadrace.seed={0}")
  @MethodSource("io.headrace.testkit.Seeds#random")
  void laws(long seed) {
    var random = new CounterRandom();
    random.reset(seed, 0, 0);
    List<Piece> pieces = new ArrayList<>();
    int count = random.nextInt(60);
    for (int i = 0; i < count; i++) {
      pieces.add(new Piece(random.nextInt(100_000), random.nextInt(4000)));
    }
    long gap = random.nextInt(5000);
    long limit = 1L + random.nextInt(20_000);
    List<Integer> seen = new ArrayList<>();
    long before = -1;
    for (Request request : ReadPlan.of(pieces, gap, limit)) {
      assertThat(request.offset()).isGreaterThanOrEqualTo(before);
      before = request.offset();
      long end = request.offset();
      for (int number : request.pieces()) {
        Piece piece = pieces.get(number);
        assertThat(piece.offset() - end).isLessThanOrEqualTo(gap);
        end = Math.max(end, piece.end());
        seen.add(number);
      }
      assertThat(request.offset() + request.length()).isEqualTo(end);
      assertThat(request.length() <= limit || request.pieces().size() == 1).isTrue();
    }
    assertThat(seen).hasSize(count).doesNotHaveDuplicates();
  }
}
