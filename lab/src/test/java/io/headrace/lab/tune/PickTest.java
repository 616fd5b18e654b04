package io.headrace.lab.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The rule of choice, on made-up measurements. Sizes are bytes, rates samples a second.
final class PickTest {
  private static final long NO_LIMIT = Long.MAX_VALUE;

  private static final double FITS = Made.FITS;

  private static Result result(
      String name, double bytes, double quality, double measured, double store) {
    return Made.result(name, bytes, quality, store, measured);
  }

  private static Result repeated(String name, double bytes, double quality, double... rates) {
    return Made.result(name, bytes, quality, FITS, rates);
  }

  private static List<String> passed(Pick pick) {
    return pick.passedOver().stream()
        .map(one -> one.result().candidate().name() + ": " + one.why())
        .toList();
  }

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
    Pick pick = Pick.of(List.of(original, large, small, lossy), limits(NO_LIMIT, NO_LIMIT, 0, 0));
    assertThat(pick.result()).isEqualTo(small);
    assertThat(pick.advice())
        .doesNotContain("the fastest within the limits")
        .contains("lossy was measured at 2,050 samples/s, a difference within noise")
        .contains("this has the higher quality");
    assertThat(passed(pick))
        .containsExactly(
            "lossy: the difference (4.6 %, faster in 1 of 1 repeats) is within noise, and its SSIM"
                + " is lower (0.950)",
            "large: the difference (2.0 %, faster in 1 of 1 repeats) is within noise, and it takes"
                + " 1.50 times the pick's bytes");
    Pick alone = Pick.of(List.of(original, small), limits(NO_LIMIT, NO_LIMIT, 0, 0));
    assertThat(alone.advice()).contains("this is the fastest within the limits");
    assertThat(alone.passedOver()).isEmpty();
  }

  /// Candidates are loaded in turn: what slows a turn down slows all of it down, and what is faster
  /// in every turn is faster, however far turns are apart.
  @Test
  void repeatsAreComparedTurnByTurn() {
    Limits limits = limits(NO_LIMIT, NO_LIMIT, 0, 0);
    var original = repeated("original", 100, 1, 1000, 400, 2000);
    var drifting = repeated("drifting", 101, 1, 1200, 480, 2400);
    var lucky = repeated("lucky", 102, 1, 1300, 390, 1900);
    assertThat(Pick.faster(drifting, original, limits)).isTrue();
    assertThat(Pick.faster(lucky, original, limits)).isFalse();
    assertThat(Pick.faster(lucky, drifting, limits)).isFalse();
    Pick pick = Pick.of(List.of(original, drifting, lucky), limits);
    assertThat(pick.result()).isEqualTo(drifting);
    assertThat(passed(pick))
        .containsExactly(
            "lucky: it may not be faster than the dataset as it is, which it was in 1 of 3"
                + " repeats");
    assertThat(pick.advice())
        .contains("this is the fastest of those that were faster in most repeats")
        .doesNotContain("the fastest within the limits");
    Pick none = Pick.of(List.of(original, lucky), limits);
    assertThat(none.result()).isEqualTo(original);
    assertThat(passed(none))
        .containsExactly(
            "lucky: the difference (30.0 %, faster in 1 of 3 repeats) is within noise, no reason to"
                + " convert");
    var five = repeated("five", 100, 1, 110, 110, 110, 110, 90);
    var steady = repeated("steady", 100, 1, 100, 100, 100, 100, 100);
    assertThat(Pick.faster(five, steady, limits)).as("four of five").isTrue();
    var half = repeated("half", 100, 1, 110, 110, 110, 90, 90);
    assertThat(Pick.faster(half, steady, limits)).as("three of five").isFalse();
  }

  @Test
  void manyBytesAreNotRecommendedWithoutWhatTheyBuy() {
    Limits limits = limits(NO_LIMIT, NO_LIMIT, 0, 0);
    var original = result("original", 1 << 20, 1, 1000, FITS);
    var q75 = result("jpeg 75", 0.5 * (1 << 20), 0.96, 2000, FITS);
    var raw = result("raw", 12 * (1 << 20), 1, 2400, FITS);
    Pick pick = Pick.of(List.of(original, q75, raw), limits);
    assertThat(pick.result()).isEqualTo(raw);
    assertThat(pick.advice())
        .contains("It takes 12.0 times the bytes, 10.7 GiB more.")
        .contains(
            "They buy 400 samples/s (1.20×) over jpeg 75, the fastest of at most 2 times the bytes"
                + " (2,000 samples/s, 0.50× the bytes, a mean SSIM of 0.960)");
    var close = result("raw", 12 * (1 << 20), 1, 1990, FITS);
    assertThat(Pick.of(List.of(original, q75, close), limits).advice())
        .contains("They buy quality and no speed over jpeg 75,");
    assertThat(Pick.of(List.of(original, close), limits).advice())
        .contains("They buy 990 samples/s (1.99×) over the dataset as it is,");
    assertThat(Pick.of(List.of(original, q75), limits).advice()).doesNotContain("They buy");
  }

  /// The best of those that stand out from the original is picked, not the original because a
  /// better picture among the equally fast does not stand out.
  @Test
  void onlyWhatBeatsTheOriginalCompetes() {
    var original = result("original", 100, 1, 1000, FITS);
    var lossless = result("lossless", 90, 1, 1040, FITS);
    var lossy = result("lossy", 50, 0.95, 1080, FITS);
    Pick pick = Pick.of(List.of(original, lossless, lossy), limits(NO_LIMIT, NO_LIMIT, 0, 0));
    assertThat(pick.result()).isEqualTo(lossy);
    assertThat(pick.passedOver()).isEmpty();
  }

  @Test
  void everyFasterRowHasItsReason() {
    var original = result("original", 1 << 20, 1, 1000, FITS);
    var q10 = result("jpeg 10", 1 << 18, 0.7, 1800, FITS);
    var q75 = result("jpeg 75", 1 << 19, 0.96, 1500, FITS);
    var raw = result("raw", 10 << 20, 1, 3000, FITS);
    Pick pick = Pick.of(List.of(original, q10, q75, raw), limits(4L << 30, NO_LIMIT, 0, 0.9));
    assertThat(pick.result()).isEqualTo(q75);
    assertThat(passed(pick))
        .containsExactly(
            "raw: it needs 9.8 GiB, and the storage limit is 4.0 GiB",
            "jpeg 10: its SSIM is 0.700, and the quality limit is 0.900");
    assertThat(passed(Pick.of(List.of(original, q75, raw), limits(NO_LIMIT, NO_LIMIT, 900, 0.9))))
        .containsExactly(
            "raw: original feeds all of the 900 samples/s that the trainer can take",
            "jpeg 75: original feeds all of the 900 samples/s that the trainer can take");
    var slowStore = result("raw", 10 << 20, 1, 3000, 100);
    assertThat(passed(Pick.of(List.of(original, q75, slowStore), limits(NO_LIMIT, NO_LIMIT, 0, 0))))
        .containsExactly(
            "raw: it does not fit into memory, and the disk gives it 100 samples/s only");
    var stored = result("original", 100, 1, 1000, 200);
    var small = result("jpeg 75", 45, 0.96, 1100, FITS);
    var smaller = result("jpeg 50", 30, 0.91, 1400, FITS);
    assertThat(passed(Pick.of(List.of(stored, small, smaller), limits(NO_LIMIT, 50_000, 0, 0))))
        .containsExactly(
            "jpeg 50: storage is the bottleneck, so that quality decides among what fits into"
                + " memory: its SSIM is 0.910");
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

  @Test
  void pixelsTimeAndAccuracyAreLimitsToo() {
    var original = result("original", 100, 1, 1000, FITS);
    var small = result("jpeg 75", 45, 0.96, 2000, FITS);
    Limits lossless = new Limits(NO_LIMIT, NO_LIMIT, 0, 0, 0, true, 1e9, null);
    Pick pick = Pick.of(List.of(original, small), lossless);
    assertThat(pick.result()).isEqualTo(original);
    assertThat(passed(pick)).containsExactly("jpeg 75: its pixels differ");
    Limits msSsim = new Limits(NO_LIMIT, NO_LIMIT, 0, 0, 0.97, false, 1e9, null);
    assertThat(passed(Pick.of(List.of(original, small), msSsim)))
        .containsExactly("jpeg 75: below the limit of MS-SSIM");
    Candidate candidate = Candidates.parse("race none jpeg:75");
    Limits hour = new Limits(NO_LIMIT, NO_LIMIT, 0, 0, 0, false, 3600, null);
    assertThat(hour.objection(candidate, 10, small.conversion(), 3500)).isEmpty();
    assertThat(hour.objection(candidate, 10, small.conversion(), 9000))
        .isEqualTo("converting takes 2.5 h, and 60.0 min are allowed");
    var known = new AccuracyFile("top-1", 0.5, Map.of("keep keep", 76.7, "jpeg:75 keep", 76.1));
    Limits accurate = new Limits(NO_LIMIT, NO_LIMIT, 0, 0, 0, false, 1e9, known);
    assertThat(accurate.objection(candidate, 10, small.conversion(), 0))
        .isEqualTo("it loses 0.60 points of top-1, and 0.50 are allowed");
    assertThat(accurate.objection(Candidates.parse("race none jpeg:50"), 10, small.conversion(), 0))
        .isEqualTo("its accuracy is not known");
    assertThat(accurate.objection(Candidates.parse("race none raw"), 10, original.conversion(), 0))
        .as("the same pixels have the same accuracy")
        .isEmpty();
  }
}
