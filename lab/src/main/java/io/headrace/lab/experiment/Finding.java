package io.headrace.lab.experiment;

import io.headrace.error.ConfigException;
import io.headrace.lab.report.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What came of an experiment.
///
/// @param experiment which
/// @param verdicts one a claim, in their order
/// @param sections figures and tables; empty if it failed
/// @param failure why it could not be measured; empty if it was
public record Finding(
    Experiment experiment, List<Verdict> verdicts, List<Report.Section> sections, String failure) {
  /// Copies the lists.
  public Finding {
    verdicts = List.copyOf(verdicts);
    sections = List.copyOf(sections);
  }

  /// Runs an experiment. If it fails, every claim is left open and the reason kept, so that others
  /// go on.
  public static Finding of(Experiment experiment, Bench bench) throws InterruptedException {
    List<Claim> claims = experiment.claims();
    Data data;
    try {
      data = experiment.measure(bench);
    } catch (IOException | RuntimeException e) {
      return failed(experiment, e);
    }
    List<Verdict> verdicts = new ArrayList<>();
    for (Claim claim : claims) {
      verdicts.add(claim.judge(data));
    }
    try {
      return new Finding(experiment, verdicts, experiment.show(data), "");
    } catch (ConfigException e) {
      return new Finding(experiment, verdicts, List.of(), String.valueOf(e.getMessage()));
    }
  }

  private static Finding failed(Experiment experiment, Exception e) {
    String why = e.getClass().getSimpleName() + ": " + e.getMessage();
    return new Finding(
        experiment,
        experiment.claims().stream().map(claim -> Verdict.open("it failed: " + why)).toList(),
        List.of(),
        why);
  }

  /// {@return how many claims hold}
  public long holding() {
    return verdicts.stream().filter(v -> v.outcome() == Verdict.Outcome.HOLDS).count();
  }
}
