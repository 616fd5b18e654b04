package io.headrace.format.shard;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.codec.stream.StreamKind;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.files.Splits;
import io.headrace.store.Fanout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The files that a dataset is opened from, and what is known of them beforehand.
///
/// @param root to call the dataset by
/// @param manifest that names the files, or null
/// @param files the shards in stored order
/// @param options how to open them; with a manifest, what that says of their compression
public record ShardSet(
    Path root, @Nullable Manifest manifest, List<Path> files, ShardOptions options) {
  /// Finds the files that a folder or a pattern stands for.
  @FunctionalInterface
  public interface Finder {
    /// {@return the files in stored order}
    List<Path> files(Path path) throws IOException;
  }

  /// Opens one of the files.
  ///
  /// @param <S> what becomes of it
  @FunctionalInterface
  public interface Opener<S> {
    /// Opens it.
    ///
    /// @param number of the shard, from 0
    /// @param declared samples that the manifest says are in it, or -1
    S open(Path file, int number, long declared) throws IOException;
  }

  /// Copies the list.
  public ShardSet {
    files = List.copyOf(files);
  }

  /// {@return the shards of a folder, with a manifest or without, of a pattern, or one file}
  ///
  /// @param said which split of them
  /// @param container the name of the kind in manifests
  /// @throws ConfigException if no file matches, or a shard of a set is missing
  /// @throws NoSuchFileException if there is no such file or folder
  /// @throws CorruptDataException if the manifest is bad or about another kind
  public static ShardSet find(
      Path path, OpenOptions said, ShardOptions options, String container, Finder finder)
      throws IOException {
    boolean folder = Files.isDirectory(path);
    Manifest manifest = folder ? Manifest.readIfPresent(path) : null;
    if (manifest != null) {
      return described(path, manifest, options, container);
    }
    List<Path> files = Splits.choose(path, finder.files(path), said.split());
    if (folder) {
      return of(path, files, options);
    }
    return files.size() == 1 && Files.exists(path)
        ? new ShardSet(path, null, files, options)
        : of(Objects.requireNonNullElse(path.getParent(), Path.of("")), files, options);
  }

  /// {@return files in the given order}
  ///
  /// @throws ConfigException if there is no file, or a shard of a set is missing
  public static ShardSet of(Path root, List<Path> files, ShardOptions options) {
    if (files.isEmpty()) {
      throw new ConfigException("no input files in an empty list");
    }
    if (!options.partial()) {
      ShardFiles.checkComplete(files);
    }
    return new ShardSet(root, null, files, options);
  }

  private static ShardSet described(
      Path folder, Manifest manifest, ShardOptions options, String container) throws IOException {
    if (!manifest.container().equals(container)) {
      throw new CorruptDataException(
          Fault.UNSUPPORTED,
          "container '%s': not %s".formatted(manifest.container(), container),
          Location.of(folder.resolve(Manifest.FILE).toString()),
          null);
    }
    Compression compression = Compression.parse(manifest.compression());
    StreamKind kind = Objects.requireNonNullElse(options.compression(), compression.kind());
    int window = compression instanceof Zstd zstd ? zstd.windowLog() : 0;
    var all = new ShardOptions(kind, true, Math.max(window, options.maxWindowLog()));
    return new ShardSet(folder, manifest, manifest.files(folder), all);
  }

  /// {@return the shards in stored order, opened some at a time; if one cannot be, none stays open}
  public <S extends Closeable> List<S> open(Opener<S> opener) throws IOException {
    Map<Integer, S> opened = new ConcurrentSkipListMap<>();
    try {
      Fanout.each(
          IntStream.range(0, files.size()).boxed().toList(),
          i -> opened.put(i, opener.open(files.get(i), i, declared(i))));
      return List.copyOf(opened.values());
    } catch (IOException | RuntimeException e) {
      for (S shard : opened.values()) {
        shard.close();
      }
      throw e;
    }
  }

  private long declared(int shard) {
    return manifest == null ? -1 : manifest.shards().get(shard).samples();
  }
}
