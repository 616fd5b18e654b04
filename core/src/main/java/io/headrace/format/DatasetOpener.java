package io.headrace.format;

import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Path;

/// Opens datasets of one kind. Every module provides its kinds as services; those that need heavy
/// libraries come from other modules than this.
public interface DatasetOpener {
  /// {@return the name of the kind, as it stands in manifests: `tfrecord`, `tar`, `parquet`}
  String name();

  /// {@return when it is asked: openers of a low rank first, those of the same rank by name}
  default int rank() {
    return 50;
  }

  /// {@return whether a file, folder or pattern of files is of this kind, told from names and first
  /// bytes alone; false of the kind [Datasets#FOLDER], which a folder is that nothing else opens}
  ///
  /// @param path as the user gave it; may not exist
  boolean opens(Path path) throws IOException;

  /// Opens it.
  ///
  /// @param path as the user gave it
  /// @param options of which classes are left to the caller
  /// @param store its files are read through
  /// @throws java.nio.file.NoSuchFileException if there is no such file or folder
  /// @throws io.headrace.error.ConfigException if there is nothing in it that can be opened
  /// @throws io.headrace.error.CorruptDataException if its manifest, its index or the start of a
  ///     shard makes no sense
  Dataset open(Path path, OpenOptions options, Store store) throws IOException;
}
