package io.headrace.codec.jpeg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpreadTest {
  /// The piecewise linear function of the paper, by hand.
  @ParameterizedTest
  @CsvSource({
    "0, 255",
    "10, 157.5",
    "20, 60",
    "20.5, 59.5",
    "60, 20",
    "61, 57",
    "70, 30",
    "79, 5",
    "400, 5"
  })
  void stepsAreThoseOfThePaper(double deviation, double step) {
    assertThat(Spread.step(deviation)).isCloseTo(step, within(1e-9));
  }

  @Test
  void deviationsAreThoseOfTheBlocks() {
    short[] blocks = new short[128];
    blocks[0] = 700; // DC, whose mean does not count
    blocks[64] = 900;
    blocks[1] = -15;
    blocks[65] = 15;
    blocks[8] = 3;
    blocks[72] = 3;
    var spread = new Spread();
    spread.add(0, blocks, 64);
    spread.add(0, Arrays.copyOfRange(blocks, 64, 128), 64);
    assertThat(spread.deviation(0, 0)).isCloseTo(100, within(1e-9));
    assertThat(spread.deviation(0, 1)).isCloseTo(15, within(1e-9));
    assertThat(spread.deviation(0, 8)).isZero();
    QuantTables.Made tables = spread.tables(0.5);
    assertThat(tables.luminance().subList(0, 3)).containsExactly(2, 54, 128);
    assertThat(tables.chrominance()).as("no colours").containsOnly(128);
    assertThat(spread.tables(100).luminance()).containsOnly(255);
    assertThat(spread.tables(0.001).luminance()).containsOnly(1);
  }
}
