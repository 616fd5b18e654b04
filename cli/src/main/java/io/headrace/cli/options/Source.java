package io.headrace.cli.options;

import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.OpenOptions;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// The dataset a command works on.
public final class Source {
  @Parameters(
      paramLabel = "DATASET",
      description =
          "An image folder (ROOT/CLASS/NAME.ext), a folder of shards, one shard or a pattern")
  private Path path = Path.of(".");

  @Mixin private Opening opening = new Opening();

  public Dataset open() throws IOException {
    return open(Store.LOCAL, OpenOptions.DEFAULT);
  }

  /// {@return the dataset, opened}
  ///
  /// @param planned how a plan says that it is opened
  public Dataset open(Store store, OpenOptions planned) throws IOException {
    return Datasets.open(path, options(planned), store);
  }

  /// {@return how the dataset is opened}
  public OpenOptions options(OpenOptions planned) throws IOException {
    return opening.over(Opening.planned(path, planned));
  }

  /// {@return a trial of the dataset, opened as the options say}
  public Trial trial(Trial of) {
    return opening.trial(of.with(Key.DATASET, path.toString()));
  }

  public Path path() {
    return path;
  }
}
