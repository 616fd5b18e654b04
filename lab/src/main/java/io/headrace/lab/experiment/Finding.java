package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.percent;

import io.headrace.lab.report.Report;
import io.headrace.lab.trial.Run;
import io.headrace.lab.tune.Tuning;
import java.io.IOException;
import java.util.List;
import java.util.stream.DoubleStream;

/// What came of an experiment.
///
/// @param experiment which
/// @param verdicts one a claim, in their order
/// @param sections figures and tables; empty if it failed
/// @param failure why it could not be measured; empty if it was
/// @param others share of the processors that other processes took in its runs, mean; NaN if it is
///     not known
public record Finding(
    Experiment experiment,
    List<Verdict> verdicts,
    List<Report.Section> sections,
    String failure,
    double others) {
  public Finding {
    verdicts = List.copyOf(verdicts);
    sections = List.copyOf(sections);
  }

  /// Runs an experiment. If it fails, every claim is left open and the reason kept, so that others
  /// go on.
  public static Finding of(Experiment experiment, Bench bench) throws InterruptedException {
    Data data;
    try {
      data = experiment.measure(bench);
    } catch (IOException | RuntimeException e) {
      return failed(experiment, e);
    }
    List<Verdict> verdicts = experiment.claims().stream().map(claim -> claim.judge(data)).toList();
    double others =
        known(data.runs().runs().stream().filter(run -> !run.warmUp()).mapToDouble(Run::others));
    try {
      return new Finding(experiment, verdicts, experiment.show(data), "", others);
    } catch (RuntimeException e) {
      String why = "figures: " + e.getMessage();
      return new Finding(experiment, verdicts, List.of(), why, others);
    }
  }

  /// {@return the mean of those that are known; NaN if none is}
  private static double known(DoubleStream shares) {
    return shares.filter(share -> !Double.isNaN(share)).average().orElse(Double.NaN);
  }

  private static Finding failed(Experiment experiment, Exception e) {
    String why = e.getClass().getSimpleName() + ": " + e.getMessage();
    return new Finding(
        experiment,
        experiment.claims().stream().map(claim -> Verdict.open("it failed: " + why)).toList(),
        List.of(),
        why,
        Double.NaN);
  }

  /// {@return what to think of the figures, by what other processes took of the processors; empty
  ///     if
  /// that is not known}
  static String conditions(List<Finding> findings) {
    double others = known(findings.stream().mapToDouble(Finding::others));
    if (Double.isNaN(others)) {
      return "";
    }
    return "Other processes took "
        + percent(others)
        + " of the processors."
        + (others < Tuning.BUSY
            ? ""
            : " The machine was busy: rates, and verdicts that rest on them, are to be measured"
                + " again when it is idle.");
  }

  /// {@return how many claims hold}
  public long holding() {
    return verdicts.stream().filter(v -> v.outcome() == Verdict.Outcome.HOLDS).count();
  }
}
