package io.headrace.format.race;

import io.headrace.format.DatasetOpener;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.shard.ShardOptions;
import io.headrace.format.shard.ShardSet;
import io.headrace.store.LocalFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Opens race shards: a folder of them, with a manifest or without, one file, or a pattern.
public final class RaceOpener implements DatasetOpener {
  static final String EXTENSION = ".race";

  /// For the service loader.
  public RaceOpener() {}

  @Override
  public String name() {
    return RaceContainer.NAME;
  }

  @Override
  public int rank() {
    return 10;
  }

  @Override
  public boolean opens(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return !shardsIn(path).isEmpty();
    }
    return ShardFiles.baseName(path).endsWith(EXTENSION)
        || ShardFiles.allEnd(path, EXTENSION)
        || (Files.isRegularFile(path) && isShard(path));
  }

  @Override
  public RaceDataset open(Path path, OpenOptions options, Store store) throws IOException {
    options.requireNoFeatures(RaceContainer.NAME);
    return RaceDataset.open(
        ShardSet.find(path, options, ShardOptions.DEFAULT, RaceContainer.NAME, RaceOpener::files),
        store);
  }

  private static List<Path> files(Path path) throws IOException {
    return Files.isDirectory(path) ? shardsIn(path) : ShardFiles.expand(path);
  }

  private static boolean isShard(Path file) throws IOException {
    try (LocalFile open = LocalFile.open(file);
        Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Math.min(RaceLayout.HEADER, open.size()));
      open.read(0, first);
      return RaceLayout.startsLikeRace(first);
    }
  }

  private static List<Path> shardsIn(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*" + EXTENSION)) {
      for (Path entry : entries) {
        if (Files.isRegularFile(entry) && !ShardFiles.baseName(entry).startsWith(".")) {
          files.add(entry);
        }
      }
    }
    files.sort((a, b) -> ShardFiles.baseName(a).compareTo(ShardFiles.baseName(b)));
    return files;
  }
}
