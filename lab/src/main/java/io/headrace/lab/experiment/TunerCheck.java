package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;
import static io.headrace.lab.report.Words.percent;
import static io.headrace.lab.report.Words.rate;

import io.headrace.error.ConfigException;
import io.headrace.format.Content;
import io.headrace.lab.model.Costs;
import io.headrace.lab.model.Errors;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import io.headrace.lab.tune.Candidate;
import io.headrace.lab.tune.Candidates;
import io.headrace.lab.tune.Limits;
import io.headrace.lab.tune.TuneOptions;
import io.headrace.lab.tune.Tuning;
import io.headrace.load.ConsumerRate;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Whether `tune` picks what an exhaustive sweep finds to be best, in a fifth of the sweep's time,
/// in six situations; and how far the model's predictions are from all that was measured there.
///
/// An exhaustive sweep runs each candidate with each number of readers, without a cache and with
/// one of all the memory allowed. The pick and the best are then measured again, in turn, since the
/// best of many measured rates is too high.
final class TunerCheck extends Experiment {
  /// A pick may be so much slower than the best.
  private static final double NEAR = 0.95;

  /// Share of the sweep's time that the tuner may take.
  private static final double TIME = 0.2;

  private static final String[] READERS = {"2", "16"};

  /// Candidates of a sweep that does not take all samples.
  private static final int FEW = 12;

  /// One large photo has as many pixels as so many others.
  private static final int LARGE = 64;

  /// Repeats of the last comparison.
  private static final int REPEATS = 5;

  /// What is fed from where.
  ///
  /// @param id of its claim
  /// @param data `photos`, `png`, `large` or `sounds`
  /// @param memory share of the encoded dataset that may be held between epochs
  /// @param lossless whether pixels must stay
  private record Scenario(
      String id, String data, String device, String consumer, double memory, boolean lossless) {
    String words() {
      return "%s from %s for %s, memory for %s%s"
          .formatted(data, device, consumer, percent(memory), lossless ? ", lossless" : "");
    }

    double consumerRate() {
      return ConsumerRate.parse(consumer).samplesPerSecond();
    }
  }

  private static final List<Scenario> SCENARIOS =
      List.of(
          new Scenario("T1", "photos", "hdd", "resnet50", 0.1, false),
          new Scenario("T2", "photos", "nvme", "alexnet", 0.1, false),
          new Scenario("T3", "photos", "paper-24", "resnet50", 0.5, false),
          new Scenario("T4", "png", "sata-ssd", "resnet50", 0.1, true),
          new Scenario("T5", "large", "sata-ssd", "resnet50", 0.1, false),
          new Scenario("T6", "sounds", "sata-ssd", "50000/s", 0.1, true));

  TunerCheck() {
    super("tuner", "Does tune find in a fifth of the time what an exhaustive sweep finds?");
  }

  private static Trial today(Bench bench, Scenario scenario) throws IOException {
    Setup setup = bench.setup();
    int samples = setup.size().samples();
    return switch (scenario.data()) {
      case "png" -> setup.trial(setup.png());
      case "large" -> {
        Path folder = bench.work("large");
        int count = Math.max(8, (samples == 0 ? 2048 : 4 * samples) / LARGE);
        LargePhotos.make(setup.photos(), folder, count);
        yield setup.trial(folder).with(Key.SAMPLES, 0).with(Key.BATCH, 4);
      }
      case "sounds" ->
          setup
              .trial(setup.soundsOrNone())
              .with(Key.SAMPLES, 16L * setup.size().sounds())
              .with(Key.PIPELINE, Pipeline.usual(Content.SOUND).spec());
      default -> setup.trial();
    };
  }

  private static List<Candidate> candidates(Setup setup, Scenario scenario) {
    Content content = scenario.data().equals("sounds") ? Content.SOUND : Content.IMAGE;
    List<Candidate> all = Candidates.of(content, Pipeline.usual(content));
    return setup.size().samples() == 0 ? all : all.subList(0, Math.min(FEW, all.size()));
  }

  /// {@return bytes that may be held between epochs}
  private static long memory(Scenario scenario, Facts facts) {
    return (long) (scenario.memory() * facts.get(scenario.id() + " bytes"));
  }

  /// {@return every way to feed the trainer, and each candidate from memory, for the model}
  private static List<Trial> ways(Trial today, Scenario scenario, Setup setup, Facts facts) {
    List<Trial> ways = new ArrayList<>();
    for (Candidate candidate : candidates(setup, scenario)) {
      Trial stored = today.with(candidate.representation());
      for (String readers : READERS) {
        Trial way = stored.with(Key.STORE, scenario.device()).with(Key.READERS, readers);
        ways.add(way);
        if (way.get(Key.COMPRESSION).equals("none")) { // streams have no cache
          ways.add(way.with(Key.CACHE, "minio:" + memory(scenario, facts)));
        }
      }
      ways.add(stored);
    }
    return ways;
  }

  private static Limits limits(Scenario scenario, Facts facts) {
    return new Limits(
        Long.MAX_VALUE,
        memory(scenario, facts),
        scenario.consumerRate(),
        0.9,
        0,
        scenario.lossless(),
        Double.POSITIVE_INFINITY,
        null);
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    List<Run> all = new ArrayList<>();
    for (Scenario scenario : SCENARIOS) {
      if (!scenario.data().equals("sounds") || setup.sounds() != null) {
        all.addAll(measure(bench, scenario, facts));
      }
    }
    return new Data(setup, new Runs(Map.of(), all), facts);
  }

  private List<Run> measure(Bench bench, Scenario scenario, Facts facts)
      throws IOException, InterruptedException {
    String id = scenario.id();
    Setup setup = bench.setup();
    Trial today = today(bench, scenario);
    facts.keep(
        id + " bytes",
        () -> {
          var found = bench.runner().prepare(today);
          return found.bytesPerSample() * found.samples();
        });
    Sweep sweep = setup.sweep(name() + "-" + id, ways(today, scenario, setup, facts));
    Runs runs = bench.run(sweep);
    double seconds = facts.of(id + " sweep", () -> seconds(runs));
    Trial best = best(runs, scenario, facts).trial();
    facts.keep(
        id + " tuner",
        () -> {
          Tuning[] tuning = new Tuning[1];
          double took =
              Bench.seconds(() -> tuning[0] = tune(bench, today, scenario, facts, TIME * seconds));
          compare(bench, scenario, tuning[0], best, facts);
          return took;
        });
    return runs.runs();
  }

  /// {@return the time that a sweep takes, also if it was interrupted: conversions, runs, warm-ups
  /// among them, and the epoch before each, which fills queues and caches}
  private static double seconds(Runs runs) {
    double conversions =
        runs.summaries().stream()
            .filter(summary -> Costs.anchors(summary.trial())) // one a conversion
            .mapToDouble(summary -> summary.conversion().seconds())
            .sum();
    return conversions
        + runs.runs().stream().mapToDouble(run -> run.seconds() * (1 + 1.0 / run.epochs())).sum();
  }

  private static Tuning tune(
      Bench bench, Trial today, Scenario scenario, Facts facts, double seconds)
      throws IOException, InterruptedException {
    Setup setup = bench.setup();
    var options =
        new TuneOptions(
            today.with(Key.STORE, scenario.device()),
            limits(scenario, facts),
            candidates(setup, scenario),
            setup.size().samples() == 0 ? 512 : setup.size().samples(),
            setup.size().repeats(),
            setup.size().seconds(),
            0.9 * seconds, // what was begun is completed
            bench.work("tuner"));
    return Tuning.run(options, bench.progress(), () -> false);
  }

  /// Measures pick and best in turn.
  private void compare(Bench bench, Scenario scenario, Tuning tuning, Trial best, Facts facts)
      throws IOException, InterruptedException {
    Candidate candidate = tuning.pick().result().candidate();
    Trial pick = tuning.pick().result().trial();
    Setup setup = bench.setup();
    Sweep last = setup.sweep("tuner-last-" + scenario.id(), List.of(pick, best)).repeats(REPEATS);
    Runs runs = bench.run(last);
    String id = scenario.id();
    facts.keep(id + " pick", () -> candidates(setup, scenario).indexOf(candidate));
    facts.keep(id + " pick readers", () -> pick.number(Key.READERS));
    facts.keep(id + " pick rate", () -> capped(scenario, runs.of(pick).rate()));
    facts.keep(id + " best rate", () -> capped(scenario, runs.of(best).rate()));
  }

  private static double capped(Scenario scenario, double rate) {
    return Math.min(rate, scenario.consumerRate());
  }

  /// {@return what the sweep measured to be fastest within the limits}
  private static Summary best(Runs runs, Scenario scenario, Facts facts) {
    Limits limits = limits(scenario, facts);
    return of(runs, scenario).stream()
        .filter(s -> s.trial().get(Key.STORE).equals(scenario.device()))
        .filter(s -> allowed(s, limits))
        .max(Comparator.comparingDouble((Summary s) -> capped(scenario, s.rate())))
        .orElseThrow(() -> new ConfigException("not measured: " + scenario.words()));
  }

  private static boolean allowed(Summary summary, Limits limits) {
    var conversion = summary.conversion();
    var candidate = new Candidate("", summary.trial().representation());
    return limits.objection(candidate, 0, conversion, 0).isEmpty();
  }

  /// {@return the runs of a scenario}
  private static List<Summary> of(Runs runs, Scenario scenario) {
    return runs.summaries(run -> run.setting(Key.STORE).equals(scenario.device()));
  }

  @Override
  public List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    for (Scenario scenario : SCENARIOS) {
      claims.add(
          new Claim(
              scenario.id(),
              scenario.words(),
              "≥ 95 % of the best in ≤ 20 % of the time",
              data -> picks(data, scenario)));
    }
    claims.add(
        new Claim(
            "T7",
            "the model's error over all trials",
            "median ≤ 10 %, 90th percentile ≤ 25 %",
            this::predicts));
    return claims;
  }

  private Verdict picks(Data data, Scenario scenario) {
    Facts facts = data.facts();
    String id = scenario.id();
    double share = facts.get(id + " pick rate") / facts.get(id + " best rate");
    double time = facts.get(id + " tuner") / facts.get(id + " sweep");
    int pick = (int) facts.get(id + " pick");
    return Verdict.of(
        share >= NEAR && time <= TIME,
        percent(share) + " in " + percent(time),
        format(
            "picked %s with %.0f readers, %s; the sweep took %.0f s",
            pick < 0 ? "a mix" : candidates(data.setup(), scenario).get(pick).name(),
            facts.get(id + " pick readers"),
            rate(facts.get(id + " pick rate")),
            facts.get(id + " sweep")));
  }

  private Verdict predicts(Data data) {
    Errors errors = Errors.of(data.runs(), data.setup().threads());
    return Verdict.of(
        errors.median() <= 0.1 && errors.quantile(0.9) <= 0.25,
        percent(errors.median()) + ", " + percent(errors.quantile(0.9)),
        format("%d trials; costs come from runs out of memory", errors.pairs().size()));
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Point> points = new ArrayList<>();
    List<List<Object>> rows = new ArrayList<>();
    for (Errors.Pair pair : Errors.of(data.runs(), data.setup().threads()).pairs()) {
      Trial trial = pair.runs().trial();
      String series = trial.dataset().getFileName() + ", " + trial.get(Key.STORE);
      String label = trial.label(List.of(Key.READERS, Key.CACHE));
      points.add(new Point(series, label, pair.runs().rate(), pair.prediction().rate()));
      rows.add(
          List.of(
              series,
              label,
              pair.runs().rate(),
              pair.prediction().rate(),
              100 * pair.error(),
              pair.prediction().bound().name().toLowerCase(Locale.ROOT)));
    }
    return List.of(
        Report.points(
                "Predicted against measured",
                "",
                "log measured, samples/s; log predicted, samples/s",
                points)
            .with("scenario; way; measured|samples/s; predicted|samples/s; error|%; bound", rows));
  }
}
