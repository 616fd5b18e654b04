package io.headrace.interop.pcr;

import io.headrace.format.Dataset;
import io.headrace.format.DatasetOpener;
import io.headrace.format.OpenOptions;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Opens folders of Progressive Compressed Records: those with a `PCR_index.pb` or a `PCR.db`.
public final class PcrOpener implements DatasetOpener {
  /// For the service loader.
  public PcrOpener() {}

  @Override
  public String name() {
    return PcrContainer.NAME;
  }

  @Override
  public boolean opens(Path path) {
    return Files.isDirectory(path) && PcrIndex.in(path);
  }

  @Override
  public Dataset open(Path path, OpenOptions options, Store store) throws IOException {
    options.requireNoFeatures(PcrContainer.NAME);
    options.requireNoSplit(path);
    return PcrDataset.open(path, store);
  }
}
