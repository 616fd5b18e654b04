package io.headrace.interop.arrow;

import io.headrace.format.Dataset;
import io.headrace.format.DatasetOpener;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Opens folders that `save_to_disk` of the Python package `datasets` wrote, `.arrow` files and
/// patterns of them.
public final class ArrowOpener implements DatasetOpener {
  /// For the service loader.
  public ArrowOpener() {}

  @Override
  public String name() {
    return "arrow";
  }

  /// {@return before the kinds that take numbered files for shards, as these are}
  @Override
  public int rank() {
    return 5;
  }

  @Override
  public boolean opens(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return Files.isRegularFile(path.resolve(ArrowDataset.SPLITS))
          || (Files.isRegularFile(path.resolve(ArrowDataset.STATE))
              && Files.isRegularFile(path.resolve("dataset_info.json")));
    }
    return ShardFiles.allEnd(path, ArrowDataset.SUFFIX)
        || (Files.isRegularFile(path) && ShardFiles.baseName(path).endsWith(ArrowDataset.SUFFIX));
  }

  @Override
  public Dataset open(Path path, OpenOptions options, Store store) throws IOException {
    return ArrowDataset.open(path, options, store);
  }
}
