package io.headrace.lab.experiment;

import io.headrace.lab.report.Report;
import java.io.IOException;
import java.util.List;

/// A question that a paper asks: what is measured to answer it, and what the paper claims.
public interface Experiment {
  /// {@return the name users type, such as `zlib-strategies`}
  String name();

  /// {@return what it asks, in one sentence}
  String question();

  /// {@return what is claimed, row by row}
  List<Claim> claims();

  /// Measures, or takes from the bench's files what was measured before.
  Data measure(Bench bench) throws IOException, InterruptedException;

  /// {@return the paper's figures and tables, drawn from what was measured}
  List<Report.Section> show(Data data);
}
