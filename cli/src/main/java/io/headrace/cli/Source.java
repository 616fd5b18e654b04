package io.headrace.cli;

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.store.Store;
import java.io.IOException;
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

  Dataset open() throws IOException {
    return open(Store.LOCAL);
  }

  Dataset open(Store store) throws IOException {
    return Datasets.open(path, store);
  }

  Path path() {
    return path;
  }
}
