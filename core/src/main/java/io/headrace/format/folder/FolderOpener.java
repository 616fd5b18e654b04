package io.headrace.format.folder;

import io.headrace.format.Dataset;
import io.headrace.format.DatasetOpener;
import io.headrace.format.Datasets;
import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Opens folders with a file for each sample, with or without a manifest.
public final class FolderOpener implements DatasetOpener {
  /// An opener.
  public FolderOpener() {}

  @Override
  public String name() {
    return Datasets.FOLDER;
  }

  @Override
  public boolean opens(Path path) {
    return false;
  }

  @Override
  public Dataset open(Path path, OpenOptions options, Store store) throws IOException {
    Manifest manifest = Files.isDirectory(path) ? Manifest.readIfPresent(path) : null;
    if (manifest == null || !manifest.container().equals(Datasets.FOLDER)) {
      return ImageFolder.open(path, options, store);
    }
    options.requireNoFeatures("a folder with a manifest");
    options.requireNoSplit(path);
    return ImageFolder.open(path, store, manifest);
  }
}
