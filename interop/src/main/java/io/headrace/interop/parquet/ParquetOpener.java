package io.headrace.interop.parquet;

import io.headrace.format.Dataset;
import io.headrace.format.DatasetOpener;
import io.headrace.format.OpenOptions;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Path;

/// Opens `.parquet` files, folders of them, folders with such a folder `data`, and patterns.
public final class ParquetOpener implements DatasetOpener {
  /// For the service loader.
  public ParquetOpener() {}

  @Override
  public String name() {
    return "parquet";
  }

  @Override
  public boolean opens(Path path) throws IOException {
    return ParquetFiles.at(path);
  }

  @Override
  public Dataset open(Path path, OpenOptions options, Store store) throws IOException {
    return ParquetDataset.open(path, options, store);
  }
}
