package io.headrace.format.tar;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.DatasetOpener;
import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.shard.ShardOptions;
import io.headrace.store.ByteFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Opens tar shards: a folder whose manifest says so or that holds archives, one archive, told by
/// its name or its content, or a pattern or range of names that end as archives' do.
public final class TarOpener implements DatasetOpener {
  /// For the service loader.
  public TarOpener() {}

  @Override
  public String name() {
    return TarContainer.NAME;
  }

  @Override
  public int rank() {
    return 20;
  }

  @Override
  public boolean opens(Path path) throws IOException {
    String name = ShardFiles.baseName(path);
    if (Files.isDirectory(path)) {
      return opensFolder(path);
    }
    if (TarFiles.isTarName(name)) {
      return Files.exists(path) || ShardFiles.isPattern(name);
    }
    if (Files.isRegularFile(path)) {
      return !ShardFiles.isShardName(name) && isArchive(path);
    }
    return ShardFiles.isPattern(name) && matchesArchives(path);
  }

  private static boolean opensFolder(Path folder) throws IOException {
    if (Files.exists(folder.resolve(Manifest.FILE))) {
      try {
        Manifest manifest = Manifest.readIfPresent(folder);
        return manifest != null && manifest.container().equals(TarContainer.NAME);
      } catch (CorruptDataException e) {
        return false; // whoever opens it next says what is wrong
      }
    }
    try (var files = Files.newDirectoryStream(folder, TarOpener::isNamedArchive)) {
      return files.iterator().hasNext();
    }
  }

  private static boolean isNamedArchive(Path file) {
    return TarFiles.isTarName(ShardFiles.baseName(file)) && Files.isRegularFile(file);
  }

  private static boolean isArchive(Path path) throws IOException {
    try (ByteFile file = Store.LOCAL.open(path)) {
      return TarDetector.isArchive(file);
    }
  }

  /// {@return whether files match a pattern, and all of them are named as archives}
  private static boolean matchesArchives(Path path) throws IOException {
    Path folder = Objects.requireNonNullElse(path.getParent(), Path.of(""));
    if (!Files.isDirectory(folder)) {
      return false;
    }
    boolean any = false;
    try (var files = Files.newDirectoryStream(folder, TarFiles.matching(path))) {
      for (Path file : files) {
        if (!isNamedArchive(file)) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  @Override
  public Dataset open(Path path, OpenOptions options, Store store) throws IOException {
    return Tars.open(path, options, ShardOptions.DEFAULT, store);
  }
}
