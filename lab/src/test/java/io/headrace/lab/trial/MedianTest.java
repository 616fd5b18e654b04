package io.headrace.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MedianTest {
  @Test
  void ofOneTwoAndThree() {
    assertThat(Median.of(7)).isEqualTo(new Median(7, 7, 7, 1));
    assertThat(Median.of(4, 2)).isEqualTo(new Median(3, 2, 4, 2));
    assertThat(Median.of(9, 1, 4)).isEqualTo(new Median(4, 1, 9, 3));
    assertThat(Median.of(List.of(9.0, 1.0, 4.0))).isEqualTo(new Median(4, 1, 9, 3));
    assertThatThrownBy(Median::of).hasMessage("the median of no values");
  }

  /// Ranks as tables of the sign test give them (Conover, "Practical Nonparametric Statistics",
  /// table A3: 95 %).
  @ParameterizedTest
  @CsvSource({"5,1", "6,1", "8,1", "9,2", "11,2", "12,3", "15,4", "20,6", "25,8"})
  void intervalsAreThoseOfOrderStatistics(int n, int k) {
    double[] values = IntStream.rangeClosed(1, n).mapToDouble(i -> i).toArray();
    Median median = Median.of(values);
    assertThat(median.low()).isEqualTo(k);
    assertThat(median.high()).isEqualTo(n + 1 - k);
  }

  @Test
  void intervalsHoldTheTrueMedianAsOftenAsTheySay() {
    var random = RandomGenerator.of("L64X128MixRandom");
    int held = 0;
    for (int i = 0; i < 2000; i++) {
      double[] values = new double[9];
      Arrays.setAll(values, k -> random.nextExponential());
      Median median = Median.of(values);
      held += median.low() <= Math.log(2) && Math.log(2) <= median.high() ? 1 : 0;
    }
    assertThat(held / 2000.0).isCloseTo(0.961, within(0.025));
  }

  @Test
  void quantilesLieBetweenValues() {
    List<Double> values = List.of(4.0, 1.0, 3.0, 2.0);
    assertThat(Median.quantile(values, 0)).isEqualTo(1);
    assertThat(Median.quantile(values, 0.9)).isCloseTo(3.7, within(1e-9));
    assertThat(Median.quantile(values, 1)).isEqualTo(4);
  }
}
