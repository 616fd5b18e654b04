package io.headrace.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.headrace.lab.model.Costs;
import io.headrace.load.Bottleneck;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The rule of choice, on made-up measurements. Sizes are bytes, rates samples a second.
final class PickTest {
  private static final long NO_LIMIT = Long.MAX_VALUE;

  private static Result result(
      String name, double bytes, double quality, double measured, double store) {
    return new Result(
        new Candidate(name, null),
        new Costs(0.0001, 0.001, bytes),
        bytes * 1000,
        quality,
        measured,
        measured,
        store,
        Bottleneck.DECODE,
        0.0008,
        0.0002,
        0);
  }

  private static final double FITS = Double.POSITIVE_INFINITY;

  private static String pick(Limits limits, Result... results) {
    return Pick.of(List.of(results), limits).result().candidate().name();
  }

  private static Limits limits(long storage, long memory, double consumer, double quality) {
    return new Limits(storage, memory, consumer, quality);
  }

  @Test
  void aTrainerThatIsFedKeepsItsDataset() {
    var original = result("original", 100, 1, 1000, FITS);
    var raw = result("raw", 900, 1, 3000, FITS);
    Pick pick = Pick.of(List.of(original, raw), limits(NO_LIMIT, NO_LIMIT, 900, 0));
    assertThat(pick.result()).isEqualTo(original);
    assertThat(pick.advice()).contains("Change nothing").contains("trainer is the bottleneck");
  }

  @Test
  void aDecodeBoundTrainerGetsTheFastestWithinTheLimits() {
    var original = result("original", 100, 1, 1000, FITS);
    var half = result("jpeg 50", 40, 0.91, 1300, FITS);
    var raw = result("raw", 900, 1, 3000, FITS);
    assertThat(pick(limits(NO_LIMIT, NO_LIMIT, 0, 0), original, half, raw)).isEqualTo("raw");
    assertThat(pick(limits(500_000, NO_LIMIT, 0, 0), original, half, raw)).isEqualTo("jpeg 50");
    assertThat(pick(limits(500_000, NO_LIMIT, 0, 0.95), original, half, raw)).isEqualTo("original");
  }

  /// B61: "highest quality factor that still fits the training data into memory".
  @Test
  void aStoreBoundTrainerGetsTheHighestQualityThatFitsIntoMemory() {
    var original = result("original", 100, 1, 1000, 200);
    var q85 = result("jpeg 85", 60, 0.98, 1050, 400);
    var q75 = result("jpeg 75", 45, 0.96, 1100, FITS);
    var q50 = result("jpeg 50", 30, 0.91, 1400, FITS);
    Limits limits = limits(NO_LIMIT, 50_000, 0, 0);
    assertThat(pick(limits, original, q85, q75, q50)).isEqualTo("jpeg 75");
    assertThat(Pick.of(List.of(original, q85, q75, q50), limits).advice())
        .contains("storage is the bottleneck")
        .contains("highest quality that fits into memory");
  }

  @Test
  void whereNothingFitsIntoMemoryTheSmallestIsPicked() {
    var original = result("original", 100, 1, 1000, 200);
    var q75 = result("jpeg 75", 45, 0.96, 1100, 500);
    var q50 = result("jpeg 50", 30, 0.91, 1400, 800);
    assertThat(pick(limits(NO_LIMIT, 10_000, 0, 0), original, q75, q50)).isEqualTo("jpeg 50");
  }

  @Test
  void ratesWithinNoiseAreDecidedByQualityThenBySize() {
    var original = result("original", 100, 1, 1000, FITS);
    var large = result("large", 300, 1, 2000, FITS);
    var small = result("small", 200, 1, 1960, FITS);
    var lossy = result("lossy", 50, 0.95, 2050, FITS);
    assertThat(pick(limits(NO_LIMIT, NO_LIMIT, 0, 0), original, large, small, lossy))
        .isEqualTo("small");
  }

  @Test
  void aGainWithinNoiseIsNoReasonToConvert() {
    var original = result("original", 100, 1, 1000, FITS);
    var tar = result("tfrecord", 101, 1, 1040, FITS);
    Pick pick = Pick.of(List.of(original, tar), limits(NO_LIMIT, NO_LIMIT, 0, 0));
    assertThat(pick.result()).isEqualTo(original);
    assertThat(pick.advice()).contains("Change nothing").contains("noise");
  }

  @Test
  void moreThanTheTrainerEatsDoesNotCount() {
    var original = result("original", 100, 1, 1000, FITS);
    var q75 = result("jpeg 75", 45, 0.96, 1500, FITS);
    var raw = result("raw", 900, 1, 3000, FITS);
    assertThat(pick(limits(NO_LIMIT, NO_LIMIT, 1400, 0), original, q75, raw)).isEqualTo("raw");
    assertThat(pick(limits(500_000, NO_LIMIT, 1400, 0), original, q75, raw)).isEqualTo("jpeg 75");
    assertThat(Pick.of(List.of(original, q75, raw), limits(500_000, NO_LIMIT, 2000, 0)).advice())
        .contains("still waits 25 %");
  }

  @Test
  void anOriginalOverTheStorageLimitIsNotKept() {
    var original = result("original", 100, 1, 1000, FITS);
    var q75 = result("jpeg 75", 45, 0.96, 1010, FITS);
    assertThat(pick(limits(50_000, NO_LIMIT, 0, 0), original, q75)).isEqualTo("jpeg 75");
  }

  @Test
  void whereNothingIsWithinTheLimitsThatIsSaid() {
    var original = result("original", 100, 1, 1000, FITS);
    Pick pick = Pick.of(List.of(original), limits(50_000, NO_LIMIT, 0, 0));
    assertThat(pick.advice()).contains("No representation is within the limits");
  }

  /// Two cores, two decode workers, 1 ms of decoding and 0.1 ms of reading for a sample.
  @Test
  void theModelTakesTheLowestBound() {
    var costs = new Costs(0.0001, 0.001, 100);
    assertThat(costs.predict(2, 2)).isCloseTo(1818, within(1.0));
    assertThat(costs.predict(16, 2)).isCloseTo(2000, within(1.0));
    assertThat(costs.storeRate(1000, 2000, 1)).isInfinite();
    assertThat(costs.storeRate(1000, 500, 5000)).isCloseTo(100, within(1e-9));
  }
}
