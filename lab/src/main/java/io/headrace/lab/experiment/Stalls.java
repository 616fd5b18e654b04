package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;

import io.headrace.lab.diagnose.Diagnoser;
import io.headrace.lab.diagnose.Diagnosis;
import io.headrace.lab.report.Report;
import io.headrace.lab.report.Report.Point;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.trial.Instruments;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Whether `diagnose` says how long a trainer waits, and for what, where that is known: the device
/// and the trainer are given, and how fast samples in memory are prepared without a trainer is
/// measured in turn with the rest.
final class Stalls extends Experiment {
  /// Points of a percentage that a share may be off.
  private static final double POINTS = 3;

  private static final int REPEATS = 3;

  /// What is known.
  ///
  /// @param trainer samples a second, for each that is prepared a second
  /// @param device samples a second, likewise; infinite for memory
  private record Case(String id, String name, double trainer, double device) {
    /// {@return shares of an epoch: training, prep stall, fetch stall}
    ///
    /// @param prepared samples a second in memory, for each that was when the case was made
    double[] truth(double prepared) {
      double ready = Math.min(trainer, prepared);
      double rate = Math.min(ready, device);
      double work = rate / trainer;
      double prep = rate / ready - work;
      return new double[] {work, prep, 1 - work - prep};
    }

    /// {@return the same, of what was measured}
    double[] truth(Facts facts) {
      return truth(facts.get(id + " prepared"));
    }
  }

  private static final List<Case> CASES =
      List.of(
          new Case("S1", "fetching", 0.25, 0.125),
          new Case("S2", "preparing", 6, Double.POSITIVE_INFINITY),
          new Case("S3", "both", 6, 0.5),
          new Case("S4", "neither", 0.25, 0.5));

  private static final List<String> SHARES = List.of("training", "prep stall", "fetch stall");

  Stalls() {
    super(
        "stalls", "Does diagnose say how long a trainer waits, and for what, where that is known?");
  }

  @Override
  Data measure(Bench bench, Setup setup, Facts facts) throws IOException, InterruptedException {
    Trial free = setup.trial();
    Runs runs = bench.run(setup.sweep(name(), List.of(free)).repeats(REPEATS));
    double prepared = runs.of(free).rate();
    double bytes = runs.of(free).bytesPerSample();
    for (Case one : CASES) {
      Trial trial = free.with(Key.CONSUMER, format("%.2f/s", one.trainer() * prepared));
      if (one.device() < Double.POSITIVE_INFINITY) {
        trial = trial.with(Key.STORE, Setup.device(one.device() * prepared * bytes));
      }
      if (!facts.has(fact(one, 2))) {
        Diagnosis found = diagnose(bench, one, trial);
        double[] shares = {found.work(), found.prepStall(), found.fetchStall()};
        facts.keep(one.id() + " prepared", found.prep() / prepared);
        for (int i = 0; i < shares.length; i++) {
          facts.keep(fact(one, i), shares[i]);
        }
      }
    }
    return new Data(setup, runs, facts);
  }

  private Diagnosis diagnose(Bench bench, Case one, Trial trial)
      throws IOException, InterruptedException {
    var options =
        new Diagnoser.Options(
            trial,
            trial.number(Key.SAMPLES) == 0 ? Integer.MAX_VALUE : trial.number(Key.SAMPLES),
            Long.MAX_VALUE,
            REPEATS,
            4 * bench.setup().size().seconds(),
            List.of());
    return new Diagnoser(
            options,
            bench.runner(),
            Instruments.ofMachine(),
            bench.file(name() + "-" + one.id()),
            bench.progress())
        .run();
  }

  private static String fact(Case one, int share) {
    return one.id() + " " + SHARES.get(share);
  }

  @Override
  public List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    for (Case one : CASES) {
      double[] truth = one.truth(1);
      claims.add(
          new Claim(
              one.id(),
              "a trainer that waits for " + one.name(),
              format("%.1f, %.1f, %.1f %%", 100 * truth[0], 100 * truth[1], 100 * truth[2]),
              data -> judge(data.facts(), one)));
    }
    return claims;
  }

  private static Verdict judge(Facts facts, Case one) {
    double off = 0;
    List<String> said = new ArrayList<>();
    for (int i = 0; i < SHARES.size(); i++) {
      double share = facts.get(fact(one, i));
      said.add(format("%.1f", 100 * share));
      off = Math.max(off, 100 * Math.abs(share - one.truth(facts)[i]));
    }
    return Verdict.of(
        off <= POINTS,
        String.join(", ", said) + " %",
        format("training, prep stall, fetch stall of an epoch: at most %.1f points off", off));
  }

  @Override
  public List<Report.Section> show(Data data) {
    List<Point> points = new ArrayList<>();
    for (Case one : CASES) {
      for (int i = 0; i < SHARES.size(); i++) {
        double said = 100 * data.fact(fact(one, i));
        points.add(new Point(SHARES.get(i), one.name(), 0, said));
        points.add(
            new Point(SHARES.get(i) + ", known", one.name(), 0, 100 * one.truth(data.facts())[i])
                .asReference());
      }
    }
    return List.of(
        Report.bars("Shares of an epoch", "", "what is waited for; of an epoch, %", points));
  }
}
