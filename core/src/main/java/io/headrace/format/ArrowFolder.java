package io.headrace.format;

import io.headrace.error.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What the Python package `datasets` writes with save_to_disk. It is not read here, but its files
/// are numbered like shards.
public final class ArrowFolder {
  private ArrowFolder() {}

  /// Checks that a folder is none.
  ///
  /// @throws ConfigException if it is one; the message says what to do
  public static void refuse(Path folder) {
    boolean several = Files.isRegularFile(folder.resolve("dataset_dict.json"));
    boolean one =
        Files.isRegularFile(folder.resolve("state.json"))
            && Files.isRegularFile(folder.resolve("dataset_info.json"));
    if (!several && !one) {
      return;
    }
    throw new ConfigException(
        "%s holds Arrow files, as save_to_disk of the Python package datasets writes them, which are"
                .formatted(folder)
            + " not read. Export them to Parquet: load_from_disk(…)"
            + (several ? "[SPLIT]" : "")
            + ".to_parquet(\"train.parquet\")");
  }
}
