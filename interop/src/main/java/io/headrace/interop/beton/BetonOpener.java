package io.headrace.interop.beton;

import io.headrace.format.Dataset;
import io.headrace.format.DatasetOpener;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Opens `.beton` files, folders of them, and patterns.
public final class BetonOpener implements DatasetOpener {
  /// For the service loader.
  public BetonOpener() {}

  @Override
  public String name() {
    return BetonContainer.NAME;
  }

  @Override
  public boolean opens(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return ShardFiles.allEnd(path, BetonContainer.EXTENSION)
          || (Files.isRegularFile(path) && BetonDataset.isNamed(path));
    }
    try (var files = Files.newDirectoryStream(path, "*" + BetonContainer.EXTENSION)) {
      return files.iterator().hasNext();
    }
  }

  @Override
  public Dataset open(Path path, OpenOptions options, Store store) throws IOException {
    return BetonDataset.open(path, options, store);
  }
}
