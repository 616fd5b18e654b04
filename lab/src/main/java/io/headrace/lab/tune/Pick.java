package io.headrace.lab.tune;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// The choice among results, and the reasons in one paragraph.
///
/// The rule: if the trainer is the bound, change nothing. If the store is, take the highest
/// quality that fits into memory (the rule of thumb of "The Art of Losing to Win"), or the
/// smallest if none does. If decoding is, take the fastest within the limits; rates that differ by
/// less than [#NOISE] count as equal, and the higher quality, then the smaller size, decides.
///
/// @param result the pick
/// @param advice why
public record Pick(Result result, String advice) {
  /// Relative difference below which two measured rates are the same.
  public static final double NOISE = 0.05;

  /// {@return the pick among `results`, of which the first is the original}
  static Pick of(List<Result> results, Limits limits) {
    Result original = results.getFirst();
    if (limits.consumer() > 0 && original.rate() >= limits.consumer()) {
      return new Pick(original, trainerIsTheBound(original, limits));
    }
    boolean keepable = original.totalBytes() <= limits.storageBytes();
    List<Result> feasible =
        results.stream()
            .filter(r -> r.equals(original) ? keepable : objection(r, limits).isEmpty())
            .toList();
    if (feasible.isEmpty()) {
      return new Pick(original, nothingFits());
    }
    boolean fetchBound = original.storeRate() < original.measured();
    Result best = fetchBound ? forTheStore(feasible, limits) : fastest(feasible, limits);
    if (keepable && capped(best, limits) < capped(original, limits) * (1 + NOISE)) {
      return new Pick(original, nothingIsFaster(original));
    }
    return new Pick(best, reasons(original, best, fetchBound, limits));
  }

  /// {@return why a candidate is outside the limits, or nothing if it is within}
  static String objection(Result result, Limits limits) {
    if (result.totalBytes() > limits.storageBytes()) {
      return "over the storage limit";
    }
    if (result.quality() < limits.minQuality()) {
      return "below the quality limit";
    }
    return "";
  }

  private static Result forTheStore(List<Result> feasible, Limits limits) {
    List<Result> inMemory =
        feasible.stream().filter(r -> r.totalBytes() <= limits.memoryBytes()).toList();
    if (inMemory.isEmpty()) {
      return feasible.stream().min(Comparator.comparingDouble(Result::totalBytes)).orElseThrow();
    }
    double quality = inMemory.stream().mapToDouble(Result::quality).max().orElseThrow();
    return fastest(inMemory.stream().filter(r -> r.quality() > quality - 0.001).toList(), limits);
  }

  private static Result fastest(List<Result> results, Limits limits) {
    double top = results.stream().mapToDouble(r -> capped(r, limits)).max().orElseThrow();
    return results.stream()
        .filter(r -> capped(r, limits) >= top * (1 - NOISE))
        .min(
            Comparator.comparingDouble((Result r) -> -r.quality())
                .thenComparingDouble(Result::totalBytes))
        .orElseThrow();
  }

  private static double capped(Result result, Limits limits) {
    return limits.consumer() > 0 ? Math.min(result.rate(), limits.consumer()) : result.rate();
  }

  private static String trainerIsTheBound(Result original, Limits limits) {
    return String.format(
        Locale.ROOT,
        "Change nothing: the dataset as it is delivers %,.0f samples/s, and the trainer eats"
            + " %,.0f. The trainer is the bottleneck.",
        original.rate(),
        limits.consumer());
  }

  private static String nothingIsFaster(Result original) {
    return String.format(
        Locale.ROOT,
        "Change nothing: no representation within the limits is faster than the dataset as it is"
            + " (%,.0f samples/s) by more than noise. The bottleneck is %s.",
        original.rate(),
        boundBy(original));
  }

  private static String nothingFits() {
    return "No representation is within the limits, the dataset as it is included: allow more"
        + " storage or less quality.";
  }

  private static String reasons(Result original, Result best, boolean fetchBound, Limits limits) {
    var text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Use %s: %,.0f samples/s against %,.0f for the dataset as it is (%.2f×), at %.2f× its"
                + " bytes and %s. ",
            best.candidate().name(),
            best.rate(),
            original.rate(),
            best.rate() / original.rate(),
            best.totalBytes() / original.totalBytes(),
            best.lossless()
                ? "with the same pixels"
                : String.format(Locale.ROOT, "a mean SSIM of %.3f", best.quality())));
    if (fetchBound) {
      boolean fits = best.totalBytes() <= limits.memoryBytes();
      text.append(
          String.format(
              Locale.ROOT,
              "Today storage is the bottleneck (it gives %,.0f samples/s); %s. ",
              original.storeRate(),
              fits
                  ? "this is the highest quality that fits into memory"
                  : "nothing within the limits fits into memory, and this is the smallest"));
    } else {
      text.append(
          String.format(
              Locale.ROOT,
              "Today %s is the bottleneck; this is the fastest within the limits. ",
              boundBy(original)));
    }
    if (limits.consumer() > 0) {
      text.append(
          best.rate() >= limits.consumer()
              ? "It feeds the trainer fully."
              : String.format(
                  Locale.ROOT,
                  "The trainer could eat %,.0f samples/s: it still waits %.0f %% of the time.",
                  limits.consumer(),
                  100 * (1 - best.rate() / limits.consumer())));
    } else {
      text.append("Afterwards the bottleneck is ").append(boundBy(best)).append('.');
    }
    return text.toString();
  }

  private static String boundBy(Result result) {
    if (result.storeRate() < result.measured()) {
      return "storage";
    }
    return switch (result.bottleneck()) {
      case READ -> "reading and decompressing";
      case DECODE -> "decoding";
      case TRANSFORM -> "cropping, resizing and packing";
      case CONSUMER -> "the consumer";
    };
  }
}
