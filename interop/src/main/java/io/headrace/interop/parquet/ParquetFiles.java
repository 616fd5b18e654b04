package io.headrace.interop.parquet;

import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.files.ShardName;
import io.headrace.format.files.Splits;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Finds the files that a path means: one file; a folder, or the folder `data` in it; or a
/// pattern such as `data/train-*.parquet`.
final class ParquetFiles {
  private static final String SUFFIX = ".parquet";
  private static final String ANY = "*" + SUFFIX;
  private static final String DATA = "data";

  private ParquetFiles() {}

  /// {@return whether there are such files}
  static boolean at(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return has(path) || has(path.resolve(DATA));
    }
    if (ShardFiles.allEnd(path, SUFFIX)) {
      return true;
    }
    return name(path).endsWith(SUFFIX)
        && (Files.isRegularFile(path) || (pattern(path) && Files.isDirectory(folder(path))));
  }

  private static boolean has(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, ANY)) {
      for (Path file : files) {
        if (!name(file).startsWith(".") && Files.isRegularFile(file)) {
          return true;
        }
      }
    }
    return false;
  }

  /// {@return the files, by name}
  ///
  /// @throws ConfigException if there are none, one of a set is missing, or several splits are
  /// there
  static List<Path> expand(Path path, OpenOptions said) throws IOException {
    if (!Files.isDirectory(path)) {
      List<Path> files = Splits.choose(path, ShardFiles.expand(path), said.split());
      if (pattern(path)) {
        checkComplete(files);
      }
      return files;
    }
    Path folder = has(path) ? path : path.resolve(DATA);
    List<Path> files = ShardFiles.expand(folder.resolve(ANY));
    files = Splits.choose(path, files, said.split(), true);
    checkComplete(files);
    return files;
  }

  /// Names with a hash after the numbers, as older tools write, say nothing about their siblings.
  private static void checkComplete(List<Path> files) {
    ShardFiles.checkComplete(
        files.stream()
            .filter(
                file -> {
                  ShardName shard = ShardName.parse(name(file));
                  return shard != null && shard.suffix().equals(SUFFIX);
                })
            .toList());
  }

  private static boolean pattern(Path path) {
    return !Files.exists(path) && name(path).indexOf('*') >= 0;
  }

  private static Path folder(Path path) {
    Path parent = path.getParent();
    return parent == null ? Path.of("") : parent;
  }

  private static String name(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }
}
