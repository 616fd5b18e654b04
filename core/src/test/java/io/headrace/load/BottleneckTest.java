package io.headrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Known mixes of stage times give the known bound. Ten seconds, four decode workers: 40 seconds of
/// worker time in all.
final class BottleneckTest {
  @ParameterizedTest
  @CsvSource({
    // stalled, starved, decode, transform
    "0,    0,    30,   10,   CONSUMER", // the consumer never waited
    "0.99, 39,   1,    0,    CONSUMER", // less than a tenth: whatever workers did
    "1,    39,   1,    0,    READ", // a tenth: workers had nothing to do
    "9,    20.1, 12,   7.9,  READ", // more than half of the workers' time
    "9,    20,   12,   8,    DECODE", // half of it is not more than half
    "9,    20,   8,    12,   TRANSFORM",
    "9,    0,    20,   20,   DECODE", // as long as each other
    "9,    0,    20,   20.1, TRANSFORM",
    "10,   0,    39,   1,    DECODE",
    "10,   40,   0,    0,    READ", // nothing came yet
  })
  void theBoundIsWhereTimeWasLost(
      double stalled, double starved, double decode, double transform, Bottleneck expected) {
    assertThat(Bottleneck.of(10, stalled, starved, decode, transform, 4)).isEqualTo(expected);
    // twice as long, everything twice: the same; twice the workers alike
    assertThat(Bottleneck.of(20, 2 * stalled, 2 * starved, 2 * decode, 2 * transform, 4))
        .isEqualTo(expected);
    assertThat(Bottleneck.of(10, stalled, 2 * starved, 2 * decode, 2 * transform, 8))
        .isEqualTo(expected);
  }

  private static StageReading stage(Stage stage, double seconds) {
    return new StageReading(stage, seconds, 0, 1, 1);
  }

  /// Of two looks at the stages only what lies between them counts: starved for long at first,
  /// transforming since.
  @Test
  void aStretchOfTimeHasABoundOfItsOwn() {
    List<StageReading> before =
        List.of(
            stage(Stage.STALL, 9),
            stage(Stage.STARVE, 18),
            stage(Stage.DECODE, 1),
            stage(Stage.TRANSFORM, 0.5));
    List<StageReading> after =
        List.of(
            stage(Stage.STALL, 14),
            stage(Stage.STARVE, 19),
            stage(Stage.DECODE, 4),
            stage(Stage.TRANSFORM, 6.5));
    assertThat(Bottleneck.between(List.of(), before, 10, 2)).isEqualTo(Bottleneck.READ);
    assertThat(Bottleneck.between(before, after, 5, 2)).isEqualTo(Bottleneck.TRANSFORM);
    assertThat(Bottleneck.between(before, before, 5, 2)).isEqualTo(Bottleneck.CONSUMER);
    assertThat(Bottleneck.between(after, after, 0, 2)).as("no time passed").isNotNull();
    assertThat(Bottleneck.READ.label()).isEqualTo("read");
  }
}
