package io.headrace.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EpochOrderTest {
  @ParameterizedTest
  @CsvSource({"10,1", "10,3", "3,4", "0,2", "70001,7"})
  void ranksShareTheEpochWithoutLossOrOverlap(long size, int world) {
    List<Long> all = new ArrayList<>();
    for (int rank = 0; rank < world; rank++) {
      var order = new EpochOrder(size, true, 5, 2, rank, world);
      assertThat(order.count()).isBetween(size / world, size / world + 1);
      LongStream.range(0, order.count()).map(order::sampleAt).forEach(all::add);
    }
    assertThat(all).hasSize((int) size).doesNotHaveDuplicates();
  }

  @Test
  void storedOrderIsKeptWhenNotShuffled() {
    var order = new EpochOrder(7, false, 5, 2, 1, 2);
    assertThat(LongStream.range(0, order.count()).map(order::sampleAt)).containsExactly(1L, 3L, 5L);
  }

  @Test
  void aRankOutsideItsWorldIsRefused() {
    assertThatThrownBy(() -> new EpochOrder(7, true, 0, 0, 2, 2))
        .isInstanceOf(ConfigException.class)
        .hasMessage("rank 2 of a world of 2: expected 0 <= rank < world");
  }

  @Test
  void shardsAreAllOpenedAndTheWindowDrawsWithinIt() {
    var order = new StreamOrder(5, true, 1, 1);
    assertThat(LongStream.range(0, 5).map(turn -> order.shardAt((int) turn)))
        .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
    for (int held = 1; held < 100; held++) {
      assertThat(order.draw(held)).isBetween(0, held - 1);
    }
    var stored = new StreamOrder(5, false, 1, 1);
    assertThat(stored.shardAt(3)).isEqualTo(3);
    assertThat(stored.draw(50)).isZero();
  }
}
