package io.headrace.interop.parquet;

import io.headrace.error.ConfigException;
import io.headrace.format.ShardFiles;
import io.headrace.format.ShardName;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Finds the files that a path stands for: one file; a folder, or the folder `data` in it; or a
/// pattern such as `data/train-*.parquet`.
final class ParquetFiles {
  private static final String SUFFIX = ".parquet";
  private static final String ANY = "*" + SUFFIX;
  private static final String DATA = "data";
  private static final Pattern SPLIT =
      Pattern.compile("(train|training|test|val|valid|validation|dev|eval)\\b.*");

  private ParquetFiles() {}

  /// {@return whether there are such files}
  static boolean at(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return has(path) || has(path.resolve(DATA));
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
  // there
  static List<Path> expand(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      List<Path> files = ShardFiles.expand(path);
      if (pattern(path)) {
        checkComplete(files);
      }
      return files;
    }
    Path folder = has(path) ? path : path.resolve(DATA);
    List<Path> files = ShardFiles.expand(folder.resolve(ANY));
    Set<String> splits = new TreeSet<>();
    for (Path file : files) {
      splits.add(split(name(file)));
    }
    if (splits.size() > 1) {
      throw new ConfigException(
          "%s holds the splits %s: name one, such as %s"
              .formatted(
                  path,
                  String.join(", ", splits),
                  folder.resolve(splits.iterator().next() + "-*.parquet")));
    }
    checkComplete(files);
    return files;
  }

  /// {@return what a file's name says it is a part of; empty if nothing}
  private static String split(String name) {
    ShardName shard = ShardName.parse(name);
    if (shard != null) {
      return shard.prefix();
    }
    var matcher = SPLIT.matcher(name);
    return matcher.matches() ? matcher.group(1) : "";
  }

  /// Names with a hash behind the numbers, as older tools write, tell nothing of their siblings'.
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
