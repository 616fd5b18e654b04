package io.headrace.lab.diagnose;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.perSecond;

import io.headrace.lab.model.Costs;
import io.headrace.lab.model.Prediction;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a trainer's time goes, by the differences between runs (DS-Analyzer: Mohan et al.,
/// "Analyzing and mitigating data stalls in DNN training", VLDB 2021).
///
/// An epoch takes as long as the trainer's own work, then longer because data in memory are not
/// prepared fast enough (the prep stall), then longer because they are not in memory (the fetch
/// stall). Rates are samples a second.
///
/// @param trial what was diagnosed
/// @param ingest the trainer's own rate
/// @param prep rate at which data in memory are prepared, however fast the trainer is
/// @param fetch rate at which the store gives encoded samples, however fast they are prepared
/// @param inMemory rate of the trainer with all data in memory
/// @param actual rate of the trainer with data where they are
/// @param costs of a sample
/// @param bytes stored of a sample
/// @param samples of the whole dataset
/// @param predicted what the model expects of the actual run
/// @param cacheToEndFetchStall bytes of the smallest cache with which the store keeps up; 0 if none
///     is needed; negative if none is enough
/// @param whatIfs what would be otherwise
/// @param remedy the cheapest way to end the stall, or null if there is none to end
public record Diagnosis(
    Trial trial,
    double ingest,
    double prep,
    double fetch,
    double inMemory,
    double actual,
    Costs costs,
    double bytes,
    long samples,
    Prediction predicted,
    long cacheToEndFetchStall,
    List<WhatIf> whatIfs,
    @Nullable WhatIf remedy) {
  /// A stall below this share of an epoch is none.
  static final double NO_STALL = 0.02;

  /// A remedy ends a stall if it leaves less than this share of it.
  static final double LEFT = 0.1;

  /// Something that could be changed.
  ///
  /// @param kind `cache`, `cores`, `bandwidth`, `readers`, `threads`, `order` or `representation`
  /// @param change in words, such as `8 readers`
  /// @param prediction with it
  /// @param command that does it; empty where that is not a command's business
  public record WhatIf(String kind, String change, Prediction prediction, String command) {}

  /// The runs that a diagnosis compares.
  ///
  /// @param prepared data in memory, no trainer
  /// @param inMemory data in memory, with the trainer
  /// @param actual data where they are, with the trainer
  record Measured(Summary prepared, Summary inMemory, Summary actual) {}

  public Diagnosis {
    whatIfs = List.copyOf(whatIfs);
  }

  /// {@return share of an epoch in which the trainer works, 0 to 1}
  public double work() {
    return Math.min(1, actual / ingest);
  }

  /// {@return share of an epoch in which it waits because data in memory are not prepared fast
  /// enough, 0 to 1}
  public double prepStall() {
    return Math.clamp(actual / Math.max(actual, inMemory) - work(), 0, 1);
  }

  /// {@return share of an epoch in which it waits because data are not in memory, 0 to 1}
  public double fetchStall() {
    return Math.clamp(1 - work() - prepStall(), 0, 1);
  }

  /// {@return what most of the waiting is for: `fetch`, `prep`, or `none`}
  public String bottleneck() {
    if (1 - work() < NO_STALL) {
      return "none";
    }
    return fetchStall() >= prepStall() ? "fetch" : "prep";
  }

  /// {@return one sentence: the bottleneck, and the remedy with its command}
  public String verdict() {
    String name = trial.get(Key.CONSUMER);
    String consumer =
        (Character.isDigit(name.charAt(0)) && !name.contains("*") ? "" : name + ", ")
            + perSecond(ingest);
    if (bottleneck().equals("none")) {
      return format(
          "The trainer itself (%s) is the bottleneck: it works %.0f %% of the time, so change"
              + " nothing.",
          consumer, 100 * work());
    }
    String why =
        bottleneck().equals("fetch")
            ? "fetching (%s)".formatted(perSecond(fetch))
            : "preparing samples (%s)".formatted(perSecond(prep));
    String waits =
        format(
            "The trainer (%s) waits %.0f %% of each epoch, and %s is the bottleneck",
            consumer, 100 * (1 - work()), why);
    if (remedy == null) {
      return waits + ": nothing that was tried would help.";
    }
    double rate = remedy.prediction().rate();
    boolean ends = ingest - rate <= LEFT * (ingest - predicted.rate());
    return waits
        + format(
            "; the cheapest remedy is %s, which would give %s and %s%s.",
            remedy.change(),
            perSecond(rate),
            ends ? "end the waiting" : "shorten the waiting",
            remedy.command().isEmpty() ? "" : ": " + remedy.command());
  }
}
