package io.headrace.lab.experiment;

import io.headrace.lab.report.Report;
import java.io.IOException;
import java.util.List;

/// A question that a paper asks: what is measured to answer it, and what the paper claims.
public abstract class Experiment {
  private final String name;
  private final String question;

  protected Experiment(String name, String question) {
    this.name = name;
    this.question = question;
  }

  /// {@return the name users type, such as `zlib-strategies`}
  public String name() {
    return name;
  }

  /// {@return what it asks, in one sentence}
  public String question() {
    return question;
  }

  /// {@return what is claimed, row by row}
  public abstract List<Claim> claims();

  /// Measures, or takes from the bench's files what was measured before.
  public final Data measure(Bench bench) throws IOException, InterruptedException {
    return measure(bench, bench.setup(), bench.facts(name));
  }

  /// Does so.
  ///
  /// @param facts of this experiment, kept beside its runs
  abstract Data measure(Bench bench, Setup setup, Facts facts)
      throws IOException, InterruptedException;

  /// {@return the paper's figures and tables, drawn from what was measured}
  public abstract List<Report.Section> show(Data data);
}
