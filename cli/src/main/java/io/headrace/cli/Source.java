package io.headrace.cli;

import io.headrace.error.Printable;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/// The dataset a command works on.
final class Source {
  @Parameters(
      paramLabel = "DATASET",
      description =
          "An image folder (ROOT/CLASS/NAME.ext), a folder of shards, one shard or a pattern")
  private Path path = Path.of(".");

  Source() {}

  Dataset open(PrintWriter err) throws IOException {
    return open(err, Store.LOCAL);
  }

  Dataset open(PrintWriter err, Store store) throws IOException {
    Dataset dataset = Datasets.open(path, store);
    warn(dataset, err);
    store.warnings().forEach(warning -> err.println("warning: " + Printable.of(warning)));
    err.flush();
    return dataset;
  }

  /// Says what a user should know about the files of a dataset.
  static void warn(Dataset dataset, PrintWriter err) {
    dataset.warnings().forEach(warning -> err.println("warning: " + Printable.of(warning)));
    err.flush();
  }

  Path path() {
    return path;
  }
}
