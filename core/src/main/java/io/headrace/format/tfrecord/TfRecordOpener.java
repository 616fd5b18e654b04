package io.headrace.format.tfrecord;

import io.headrace.format.Dataset;
import io.headrace.format.DatasetOpener;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.shard.ShardOptions;
import io.headrace.store.LocalFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Opens TFRecord shards: a folder whose manifest says so or that holds files named like shards,
/// one file, told by its name or its content, or any pattern of names. The last that is asked,
/// since such names tell little.
public final class TfRecordOpener implements DatasetOpener {
  /// For the service loader.
  public TfRecordOpener() {}

  @Override
  public String name() {
    return TfRecordContainer.NAME;
  }

  @Override
  public int rank() {
    return 90;
  }

  @Override
  public boolean opens(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return holdsShards(path);
    }
    return !Files.isRegularFile(path)
        || ShardFiles.isShardName(ShardFiles.baseName(path))
        || beginsLikeRecords(path);
  }

  private static boolean holdsShards(Path folder) throws IOException {
    try (var entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (ShardFiles.isShardName(ShardFiles.baseName(entry)) && Files.isRegularFile(entry)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean beginsLikeRecords(Path path) throws IOException {
    try (LocalFile file = LocalFile.open(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Math.min(StreamDetector.FIRST_BYTES, file.size()));
      file.read(0, first);
      return StreamDetector.mayBegin(first);
    }
  }

  @Override
  public Dataset open(Path path, OpenOptions options, Store store) throws IOException {
    return TfRecords.open(path, options, ShardOptions.DEFAULT, store);
  }
}
