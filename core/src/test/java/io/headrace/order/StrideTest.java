package io.headrace.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headrace.error.ConfigException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Law: strides of one step, from 0 to it, have every batch of a rank once, each as it is.
final class StrideTest {
  @ParameterizedTest
  @CsvSource({"0,4,3", "1,4,3", "12,4,3", "13,4,5", "100,7,4", "101,7,1", "101,1,9"})
  void stridesShareTheBatchesOfARank(long size, int batch, int step) {
    for (RanksTail tail : RanksTail.values()) {
      for (int rank = 0; rank < 3; rank++) {
        var deal = new Deal(rank, 3, batch, tail, LastBatch.PARTIAL);
        var all = new EpochOrder(Permutation.of(OrderSpec.FULL, size, 5, 2), 0, deal, 1);
        List<List<Long>> expected = batches(all, batch);
        List<List<Long>> found = new ArrayList<>(expected);
        found.replaceAll(_ -> List.of());
        long own = 0;
        for (int first = 0; first < step; first++) {
          var stride = new Stride(first, step);
          EpochOrder some = all.only(stride);
          own += some.own();
          List<List<Long>> part = batches(some, batch);
          assertThat(part).hasSize((int) stride.batches(expected.size()));
          for (int i = 0; i < part.size(); i++) {
            found.set((int) stride.batch(i), part.get(i));
          }
        }
        assertThat(found).isEqualTo(expected);
        assertThat(own).isEqualTo(all.own());
      }
    }
  }

  private static List<List<Long>> batches(EpochOrder order, int batch) {
    List<List<Long>> all = new ArrayList<>();
    for (long position = 0; position < order.count(); position++) {
      if (position % batch == 0) {
        all.add(new ArrayList<>());
      }
      all.getLast().add(order.sampleAt(position));
    }
    return all;
  }

  @Test
  void whatIsLeftOfAStrideIsDividedInTheSameWay() {
    assertThat(new Stride(5, 3).batch(2)).isEqualTo(11);
    assertThat(new Stride(5, 3).batches(12)).isEqualTo(3);
    assertThat(new Stride(5, 3).batches(5)).isZero();
    assertThatThrownBy(() -> new Stride(-1, 1)).isInstanceOf(ConfigException.class);
    assertThatThrownBy(() -> new Stride(0, 0)).isInstanceOf(ConfigException.class);
  }
}
