package io.headrace.cli;

import java.io.PrintWriter;

/// Warns once that a dataset has no labels at all, since a model cannot learn from it.
final class NoLabels {
  private NoLabels() {}

  /// @param samples that were read
  /// @param unlabelled those of them without a label
  static void warn(PrintWriter err, long samples, long unlabelled) {
    if (samples > 0 && unlabelled == samples) {
      err.println("warning: no sample has a label: labels are all -1");
      err.flush();
    }
  }
}
