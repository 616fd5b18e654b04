package io.headrace.lab.tune;

import static io.headrace.lab.report.Words.format;

import io.headrace.codec.stream.Compression;
import io.headrace.convert.target.Representation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The choice among results, and its reasons.
///
/// The rule: if the trainer is the bottleneck, change nothing. Else only candidates that are faster
/// than the original by more than noise compete. If the store is the bottleneck, take the highest
/// quality that
/// fits into
/// memory (the rule of thumb of "The Art of Losing to Win"), or the smallest if none does. If
/// decoding is, take the fastest within the limits. Rates that cannot be told apart count as equal;
/// then the higher quality decides, then the smaller size.
///
/// @param result the pick
/// @param advice why
/// @param passedOver what was measured to be faster, and why it was not picked; the fastest first
public record Pick(Result result, String advice, List<PassedOver> passedOver) {
  /// Relative difference below which two measured rates are the same.
  public static final double NOISE = 0.05;

  /// Share of the repeats in which a candidate must be faster to be called faster. All candidates
  /// are loaded in turn, so a machine that slows down for a while slows both of a repeat.
  private static final double MAX_REPEATS = 0.75;

  /// From so many times the original's bytes on, the advice says what they buy.
  private static final double MANY_BYTES = 2;

  private static final double SAME_QUALITY = 0.001;

  /// A faster candidate that was not picked.
  ///
  /// @param result which
  /// @param why it was not picked
  public record PassedOver(Result result, String why) {}

  public Pick {
    passedOver = List.copyOf(passedOver);
  }

  /// {@return the pick among `results`, of which the first is the original}
  static Pick of(List<Result> results, Limits limits) {
    return new Choice(results, limits).pick();
  }

  /// {@return why a candidate is outside the limits, or nothing if it is within}
  static String objection(Result result, Limits limits) {
    return limits.objection(
        result.candidate(), result.totalBytes(), result.conversion(), result.convertSeconds());
  }

  /// {@return whether `a` is faster than `b` by more than noise: by more than [#NOISE] in the
  /// median, and in most repeats}
  static boolean faster(Result a, Result b, Limits limits) {
    return capped(a, limits) > capped(b, limits) * (1 + NOISE)
        && wins(a, b, limits) >= Math.ceil(MAX_REPEATS * repeats(a, b));
  }

  private static int repeats(Result a, Result b) {
    return Math.min(a.rates().size(), b.rates().size());
  }

  private static int wins(Result a, Result b, Limits limits) {
    int wins = 0;
    for (int i = 0; i < repeats(a, b); i++) {
      wins += capped(a, i, limits) > capped(b, i, limits) ? 1 : 0;
    }
    return wins;
  }

  private static double capped(Result result, int repeat, Limits limits) {
    return capped(Math.min(result.rates().get(repeat), result.storeRate()), limits);
  }

  private static double capped(Result result, Limits limits) {
    return capped(result.rate(), limits);
  }

  private static double capped(double rate, Limits limits) {
    return limits.consumer() > 0 ? Math.min(rate, limits.consumer()) : rate;
  }

  /// One choosing.
  private record Choice(List<Result> results, Limits limits) {
    Pick pick() {
      Result original = original();
      if (limits.consumer() > 0 && original.rate() >= limits.consumer()) {
        return picked(original, trainerIsTheBound());
      }
      List<Result> feasible = results.stream().filter(this::feasible).toList();
      if (feasible.isEmpty()) {
        return picked(
            original,
            "No representation is within the limits, the dataset as it is included: allow more"
                + " storage or less quality.");
      }
      List<Result> better =
          feasible(original)
              ? feasible.stream().filter(r -> faster(r, original, limits)).toList()
              : feasible;
      if (better.isEmpty()) {
        return picked(original, nothingIsFaster());
      }
      Result best = original.storeBound() ? forTheStore(better) : fastest(better);
      return picked(best, reasons(best, feasible));
    }

    private Result original() {
      return results.getFirst();
    }

    private boolean feasible(Result result) {
      return result.equals(original())
          ? result.totalBytes() <= limits.storageBytes()
          : objection(result, limits).isEmpty();
    }

    private Result forTheStore(List<Result> feasible) {
      List<Result> inMemory = inMemory(feasible);
      if (inMemory.isEmpty()) {
        return feasible.stream().min(Comparator.comparingDouble(Result::totalBytes)).orElseThrow();
      }
      double quality = inMemory.stream().mapToDouble(Result::quality).max().orElseThrow();
      return fastest(inMemory.stream().filter(r -> r.quality() > quality - SAME_QUALITY).toList());
    }

    private List<Result> inMemory(List<Result> feasible) {
      return feasible.stream().filter(r -> r.totalBytes() <= limits.memoryBytes()).toList();
    }

    private Result fastest(List<Result> some) {
      return some.stream()
          .filter(r -> some.stream().noneMatch(other -> faster(other, r, limits)))
          .filter(r -> some.stream().noneMatch(other -> standsFor(other, r)))
          .min(
              Comparator.comparingDouble((Result r) -> -r.quality())
                  .thenComparingDouble(Result::totalBytes))
          .orElseThrow();
    }

    /// {@return whether Zstandard is to stand for zlib or gzip: where the rates are comparable, and
    /// compressing takes less time (recommended so by the paper on compression in preprocessing
    /// pipelines)}
    private boolean standsFor(Result zstd, Result deflated) {
      Representation better = zstd.candidate().representation();
      Representation worse = deflated.candidate().representation();
      return better != null
          && worse != null
          && better.compression() instanceof Compression.Zstd
          && (worse.compression() instanceof Compression.Zlib
              || worse.compression() instanceof Compression.Gzip)
          && better.packing().equals(worse.packing())
          && better.encoding().equals(worse.encoding())
          && better.resize().equals(worse.resize())
          && zstd.convertSeconds() < deflated.convertSeconds()
          && !faster(deflated, zstd, limits);
    }

    private String whyZstandard(Result best, List<Result> feasible) {
      return feasible.stream()
          .filter(other -> standsFor(best, other))
          .findFirst()
          .map(
              other ->
                  format(
                      "Zstandard stands for %s here: the rates are comparable (%,.0f), and"
                          + " converting takes %.2f of the time. ",
                      other.candidate().name(),
                      other.rate(),
                      best.convertSeconds() / other.convertSeconds()))
          .orElse("");
    }

    private Result highest(Stream<Result> some) {
      return some.max(Comparator.comparingDouble((Result r) -> capped(r, limits))).orElseThrow();
    }

    private Pick picked(Result result, String advice) {
      List<PassedOver> passed = new ArrayList<>();
      results.stream()
          .filter(r -> !r.equals(result) && r.measured() > result.measured())
          .sorted(Comparator.comparingDouble(r -> -r.measured()))
          .forEach(r -> passed.add(new PassedOver(r, whyNot(r, result))));
      return new Pick(result, advice, passed);
    }

    /// {@return why `other`, which was measured to be faster, is not the pick}
    private String whyNot(Result other, Result pick) {
      if (!feasible(other)) {
        String objection = objection(other, limits);
        if (!objection.startsWith("over") && !objection.equals("below the quality limit")) {
          return objection;
        }
        return other.totalBytes() > limits.storageBytes()
            ? "it needs %s, and the storage limit is %s"
                .formatted(size(other.totalBytes()), size((double) limits.storageBytes()))
            : format(
                "its SSIM is %.3f, and the quality limit is %.3f",
                other.quality(), limits.minQuality());
      }
      if (limits.consumer() > 0 && pick.rate() >= limits.consumer()) {
        return format(
            "%s feeds all of the %,.0f samples/s that the trainer can take",
            pick.candidate().name(), limits.consumer());
      }
      if (other.storeRate() < pick.rate()) {
        return format(
            "it does not fit into memory, and the disk gives it %,.0f samples/s only",
            other.storeRate());
      }
      if (!pick.equals(original()) && feasible(original()) && !faster(other, original(), limits)) {
        return format(
            "it may not be faster than the dataset as it is, which it was in %d of %d repeats",
            wins(other, original(), limits), repeats(other, original()));
      }
      if (!faster(other, pick, limits)) {
        return format(
                "the difference (%.1f %%, faster in %d of %d repeats) is within noise",
                100 * (other.measured() / pick.measured() - 1),
                wins(other, pick, limits),
                repeats(other, pick))
            + tieBreak(other, pick);
      }
      return format( // only where the store is the bottleneck
          "storage is the bottleneck, so that quality decides among what fits into memory: its SSIM"
              + " is %.3f",
          other.quality());
    }

    private String tieBreak(Result other, Result pick) {
      if (pick.equals(original())) {
        return ", no reason to convert";
      }
      return pick.quality() > other.quality()
          ? format(", and its SSIM is lower (%.3f)", other.quality())
          : format(
              ", and it takes %.2f times the pick's bytes", other.totalBytes() / pick.totalBytes());
    }

    private String trainerIsTheBound() {
      return format(
          "Change nothing: the dataset as it is delivers %,.0f samples/s, and the trainer takes"
              + " %,.0f. The trainer is the bottleneck.",
          original().rate(), limits.consumer());
    }

    private String nothingIsFaster() {
      return format(
          "Change nothing: no representation within the limits is faster than the dataset as it is"
              + " (%,.0f samples/s) by more than noise. The bottleneck is %s.",
          original().rate(), boundBy(original()));
    }

    private String reasons(Result best, List<Result> feasible) {
      Result original = original();
      return format(
              "Use %s: %,.0f samples/s against %,.0f for the dataset as it is (%.2f×), at %.2f× its"
                  + " bytes and %s. ",
              best.candidate().name(),
              best.rate(),
              original.rate(),
              best.rate() / original.rate(),
              best.totalBytes() / original.totalBytes(),
              pixels(best))
          + whatTheBytesBuy(best, feasible)
          + whyZstandard(best, feasible)
          + whyThis(best, feasible)
          + whatIsLeft(best);
    }

    private static String pixels(Result result) {
      return result.lossless()
          ? "with the same pixels"
          : format("a mean SSIM of %.3f", result.quality());
    }

    /// {@return what a pick of many bytes gives beyond the fastest of few bytes}
    private String whatTheBytesBuy(Result best, List<Result> feasible) {
      double bytes = original().totalBytes();
      if (best.totalBytes() <= MANY_BYTES * bytes) {
        return "";
      }
      String more =
          format(
              "It takes %.1f times the bytes, %s more. ",
              best.totalBytes() / bytes, size(best.totalBytes() - bytes));
      List<Result> few =
          feasible.stream().filter(r -> r.totalBytes() <= MANY_BYTES * bytes).toList();
      if (few.isEmpty()) {
        return more + "Nothing smaller is within the limits. ";
      }
      Result frugal = highest(few.stream());
      String than =
          format(
              "%s, the fastest of at most %.0f times the bytes (%,.0f samples/s, %.2f× the bytes,"
                  + " %s). ",
              frugal.equals(original()) ? "the dataset as it is" : frugal.candidate().name(),
              MANY_BYTES,
              frugal.rate(),
              frugal.totalBytes() / bytes,
              pixels(frugal));
      String buys;
      if (faster(best, frugal, limits)) {
        buys =
            format(
                "They buy %,.0f samples/s (%.2f×) over ",
                best.rate() - frugal.rate(), best.rate() / frugal.rate());
      } else if (best.quality() > frugal.quality()) {
        buys = "They buy quality and no speed over ";
      } else {
        buys = "They buy nothing that stands out from noise over ";
      }
      return more + buys + than + "--storage rules out what is too large. ";
    }

    private String whyThis(Result best, List<Result> feasible) {
      Result original = original();
      if (original.storeBound()) {
        return format(
            "Today storage is the bottleneck (it gives %,.0f samples/s); %s. ",
            original.storeRate(),
            inMemory(feasible).isEmpty()
                ? "nothing within the limits fits into memory, and this is the smallest"
                : "this is the highest quality that fits into memory");
      }
      return "Today %s is the bottleneck; %s. ".formatted(boundBy(original), rank(best, feasible));
    }

    private String rank(Result best, List<Result> feasible) {
      if (capped(best, limits) >= capped(highest(feasible.stream()), limits)) {
        return "this is the fastest within the limits";
      }
      Result top =
          highest(feasible.stream().filter(r -> r.equals(best) || faster(r, original(), limits)));
      return top.equals(best)
          ? "this is the fastest of those that were faster in most repeats"
          : format(
              "%s was measured at %,.0f samples/s, a difference within noise, and this %s",
              top.candidate().name(),
              top.rate(),
              best.quality() > top.quality() ? "has the higher quality" : "takes fewer bytes");
    }

    private String whatIsLeft(Result best) {
      if (limits.consumer() == 0) {
        return "Afterwards the bottleneck is " + boundBy(best) + ".";
      }
      return best.rate() >= limits.consumer()
          ? "It feeds the trainer fully."
          : format(
              "The trainer could take %,.0f samples/s: it still waits %.0f %% of the time.",
              limits.consumer(), 100 * (1 - best.rate() / limits.consumer()));
    }

    private static String boundBy(Result result) {
      if (result.storeBound()) {
        return "storage";
      }
      return switch (result.bottleneck()) {
        case READ -> "reading and decompressing";
        case DECODE -> "decoding";
        case TRANSFORM -> "cropping, resizing and packing";
        case CONSUMER -> "the consumer";
      };
    }

    private static String size(double bytes) {
      return bytes >= 1 << 30
          ? format("%,.1f GiB", bytes / (1 << 30))
          : format("%,.1f MiB", bytes / (1 << 20));
    }
  }
}
