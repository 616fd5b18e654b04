package io.headrace.format;

import io.headrace.codec.FirstBytes;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.race.RaceOpener;
import io.headrace.format.tar.TarOpener;
import io.headrace.format.tfrecord.StreamDetector;
import io.headrace.format.tfrecord.TfRecordOptions;
import io.headrace.format.tfrecord.TfRecords;
import io.headrace.store.LocalFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/// Opens datasets of any kind.
public final class Datasets {
  /// Kinds besides image folders and TFRecord, in the order they are asked.
  private static final List<DatasetOpener> OPENERS = openers();

  /// The folder that a conversion works in until all it wrote is in its place.
  public static final String UNFINISHED = ".headrace-convert";

  private Datasets() {}

  private static List<DatasetOpener> openers() {
    List<DatasetOpener> all = new ArrayList<>();
    all.add(new RaceOpener());
    all.add(new TarOpener());
    ServiceLoader.load(DatasetOpener.class, Datasets.class.getClassLoader()).forEach(all::add);
    return List.copyOf(all);
  }

  /// Opens what `path` names, whose kind is told from what is there: a folder with a manifest or
  /// shards, one shard, a pattern that matches shards, or a folder of images.
  ///
  /// @throws NoSuchFileException if there is no such file or folder
  /// @throws ConfigException if there is nothing in it that can be opened
  /// @throws CorruptDataException if the manifest or the start of a shard makes no sense
  public static Dataset open(Path path) throws IOException {
    return open(path, OpenOptions.DEFAULT, Store.LOCAL);
  }

  /// As [#open(Path)], with the samples' files read through a store.
  public static Dataset open(Path path, Store store) throws IOException {
    return open(path, OpenOptions.DEFAULT, store);
  }

  /// As [#open(Path)], with what a user says of it.
  ///
  /// @throws ConfigException also if there are several splits and none of them is named, or none of
  ///     that name; or if it has a class that is not among those given
  public static Dataset open(Path path, OpenOptions options) throws IOException {
    return open(path, options, Store.LOCAL);
  }

  /// As [#open(Path, OpenOptions)], with the samples' files read through a store.
  public static Dataset open(Path path, OpenOptions options, Store store) throws IOException {
    Path folder = Splits.folderOf(path, options);
    OpenOptions rest = folder.equals(path) ? options : options.withSplit("");
    Dataset dataset = openAny(folder, rest, store);
    try {
      return Labelled.of(dataset, options.classes());
    } catch (IOException | RuntimeException e) {
      dataset.close();
      throw e;
    }
  }

  /// As [#open(Path, OpenOptions)], with labels as they are stored.
  private static Dataset openAny(Path path, OpenOptions options, Store store) throws IOException {
    if (!Files.exists(path) && !ShardFiles.isPattern(ShardFiles.baseName(path))) {
      throw new NoSuchFileException(path.toString(), null, "no such file or folder");
    }
    Manifest manifest = Files.isDirectory(path) ? Manifest.readIfPresent(path) : null;
    if (manifest == null && Files.exists(path.resolve(UNFINISHED))) {
      throw new ConfigException(
          path
              + " holds a conversion that is not finished: the command that began it takes it up"
              + " again");
    }
    if (manifest != null && manifest.container().equals(FolderContainer.NAME)) {
      options.requireNoFeatures("a folder with a manifest");
      options.requireNoSplit(path);
      return ImageFolder.open(path, store, manifest);
    }
    if (manifest != null) {
      requireWhole(path, manifest, options);
    }
    for (DatasetOpener opener : OPENERS) {
      if (manifest == null ? opener.opens(path) : opener.name().equals(manifest.container())) {
        return opener.open(path, options, store);
      }
    }
    if (Files.isRegularFile(path)) {
      checkShard(path);
    }
    if (Files.isDirectory(path) && manifest == null) {
      refuseArrow(path);
    }
    if (!Files.isDirectory(path) || manifest != null || holdsTfRecords(path)) {
      return TfRecords.open(path, options, TfRecordOptions.DEFAULT, store);
    }
    try (var entries = Files.newDirectoryStream(path)) {
      if (!entries.iterator().hasNext()) {
        throw new ConfigException(path + " is an empty folder");
      }
    }
    Splits.requireClasses(path, options, Datasets::kindOf);
    try {
      return ImageFolder.open(path, options, store);
    } catch (ConfigException e) {
      Splits.requireNoDatasets(path, Datasets::kindOf);
      throw e;
    }
  }

  /// A manifest is about one dataset: it has no split beside its own.
  private static void requireWhole(Path path, Manifest manifest, OpenOptions options) {
    List<Path> files = manifest.shards().stream().map(s -> path.resolve(s.file())).toList();
    if (!options.split().isEmpty() && Splits.choose(path, files, options).size() < files.size()) {
      throw new ConfigException(
          "%s is one dataset by its manifest: leave out the split '%s'"
              .formatted(path, options.split()));
    }
  }

  /// {@return what kind of shards a folder holds, in words; empty if none}
  private static String kindOf(Path folder) throws IOException {
    for (DatasetOpener opener : OPENERS) {
      if (opener.opens(folder)) {
        return opener.name();
      }
    }
    return holdsTfRecords(folder) ? "tfrecord" : "";
  }

  private static boolean holdsTfRecords(Path folder) throws IOException {
    try (var entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (ShardFiles.isShardName(ShardFiles.baseName(entry)) && Files.isRegularFile(entry)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String refusal(MemorySegment first) {
    if (ImageContent.fault(first) == null) {
      return " is one image: open its folder";
    }
    String name = FirstBytes.name(first);
    String advice = FirstBytes.advice(first);
    return name == null
        ? " is not a TFRecord file, nor anything else that is known here"
        : " is " + name + ": " + (advice.isEmpty() ? "not a dataset that is read here" : advice);
  }

  /// Refuses what the Python package `datasets` writes with save_to_disk, whose files are numbered
  /// like shards.
  private static void refuseArrow(Path folder) throws IOException {
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

  /// A file that is named like a shard is taken for one, whatever befell it.
  private static void checkShard(Path path) throws IOException {
    if (ShardFiles.isShardName(ShardFiles.baseName(path))) {
      return;
    }
    try (LocalFile file = LocalFile.open(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Math.min(StreamDetector.FIRST_BYTES, file.size()));
      file.read(0, first);
      if (!StreamDetector.mayBegin(first)) {
        throw new ConfigException(path + refusal(first));
      }
    }
  }
}
