package io.headrace.cli;

import io.headrace.error.Printable;
import io.headrace.format.Dataset;
import io.headrace.store.Store;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What a user should know about the files that a command reads, each line once. What opening tells
/// is printed at once. What only reading tells is printed when the command ends, also if it fails.
final class Warnings implements AutoCloseable {
  private final PrintWriter err;
  private final List<Dataset> datasets;
  private final Store store;
  private final Set<String> said = new HashSet<>();

  /// Prints what is known about datasets just opened. Close it before them.
  Warnings(PrintWriter err, Dataset... datasets) {
    this(err, Store.LOCAL, datasets);
  }

  /// The same, with the store that they are read through.
  Warnings(PrintWriter err, Store store, Dataset... datasets) {
    this.err = err;
    this.store = store;
    this.datasets = List.of(datasets);
    say();
  }

  /// Says what has become known since it was last asked.
  void say() {
    datasets.forEach(dataset -> dataset.warnings().forEach(this::say));
    store.warnings().forEach(this::say);
    err.flush();
  }

  private void say(String warning) {
    if (said.add(warning)) {
      err.println("warning: " + Printable.of(warning));
    }
  }

  /// Warns that a dataset has no labels at all, since a model cannot learn from it.
  ///
  /// @param samples that were read
  /// @param unlabelled those of them without a label
  static void ofLabels(PrintWriter err, long samples, long unlabelled) {
    if (samples > 0 && unlabelled == samples) {
      err.println("warning: no sample has a label: labels are all -1");
      err.flush();
    }
  }

  @Override
  public void close() {
    say();
  }
}
