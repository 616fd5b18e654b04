package io.headrace.cli;

import java.io.PrintWriter;

/// Says once that a dataset has no labels at all: a model that is trained on it learns nothing.
final class NoLabels {
  private NoLabels() {}

  /// @param samples that were read
  /// @param unlabelled of these, samples without a label
  static void warn(PrintWriter err, long samples, long unlabelled) {
    if (samples > 0 && unlabelled == samples) {
      err.println("warning: no sample has a label: labels are all -1");
      err.flush();
    }
  }
}
