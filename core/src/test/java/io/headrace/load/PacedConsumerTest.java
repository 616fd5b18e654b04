package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.headrace.error.ConfigException;
import io.headrace.store.Ticker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PacedConsumerTest {
  /// A clock that only sleeping moves, and that wakes late.
  private static final class LateTicker implements Ticker {
    private final long lateness;
    private long now = 5_000_000_000L;

    LateTicker(long lateness) {
      this.lateness = lateness;
    }

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public void sleepUntil(long nanos) {
      now = Math.max(now, nanos) + lateness;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 60_000, 4_000_000})
  void batchesTakeAsLongAsTheRateSaysThoughTheSystemWakesLate(long lateness) {
    var ticker = new LateTicker(lateness);
    var consumer = new PacedConsumer(ConsumerRate.parse("3000/s"), ticker);
    long start = ticker.nanos();
    for (int i = 0; i < 300; i++) {
      consumer.work(64);
    }
    double seconds = (ticker.nanos() - start) / 1e9;
    assertThat(seconds).isCloseTo(300 * 64 / 3000.0, within(lateness / 1e9 + 1e-6));
  }

  @Test
  void whatItWaitsForIsNotMadeUpFor() {
    var ticker = new LateTicker(0);
    var consumer = new PacedConsumer(ConsumerRate.parse("1000/s"), ticker);
    long start = ticker.nanos();
    for (int i = 0; i < 10; i++) {
      ticker.now += 50_000_000; // no batch for 50 ms
      consumer.work(100);
    }
    assertThat((ticker.nanos() - start) / 1e9).isCloseTo(10 * 0.15, within(1e-6));
  }

  @Test
  void oneWithoutARateNeverSleeps() {
    var ticker = new LateTicker(1_000);
    new PacedConsumer(ConsumerRate.UNBOUNDED, ticker).work(1 << 20);
    assertThat(ticker.nanos()).isEqualTo(5_000_000_000L);
  }

  @ParameterizedTest
  @CsvSource({
    "12375/s, 12375",
    "0.5, 0.5",
    "resnet50, 4155",
    "ResNet50, 4155",
    "8*resnet50, 33240",
    "2*100/s, 200",
    "v100-alexnet, 8508",
    "squeezenet1.1, 15461"
  })
  void spellings(String text, double rate) {
    assertThat(ConsumerRate.parse(text).samplesPerSecond()).isCloseTo(rate, within(1e-9));
  }

  @Test
  void noneTakesAllItGets() {
    assertThat(ConsumerRate.parse(" ").unbounded()).isTrue();
    assertThat(ConsumerRate.parse("none").unbounded()).isTrue();
    assertThat(ConsumerRate.UNBOUNDED.goodput(5)).isNaN();
    assertThat(ConsumerRate.parse("200").goodput(50)).isEqualTo(0.25);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"resnet", "0", "-5", "12/m", "0*resnet50", "9999999*resnet50", "1e9", "*5"})
  void whatIsNoRateIsRefused(String text) {
    assertThatThrownBy(() -> ConsumerRate.parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("consumer '" + text + "': expected samples a second such as");
  }
}
