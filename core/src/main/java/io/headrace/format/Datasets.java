package io.headrace.format;

import io.headrace.codec.FirstBytes;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.files.Splits;
import io.headrace.store.LocalFile;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Opens datasets of any kind.
public final class Datasets {
  /// The kind of a folder with a file for each sample.
  public static final String FOLDER = "folder";

  /// Kinds in the order they are asked: the same whatever the class path's.
  private static final List<DatasetOpener> OPENERS =
      ServiceLoader.load(DatasetOpener.class, Datasets.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparingInt(DatasetOpener::rank).thenComparing(DatasetOpener::name))
          .toList();

  /// Bytes of a file that are enough to say what it is.
  private static final int FIRST_BYTES = 4096;

  /// The folder that a conversion works in until all it wrote is in its place.
  public static final String UNFINISHED = ".headrace-convert";

  private Datasets() {}

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
    Path folder = Splits.folderOf(path, options.split());
    OpenOptions rest = folder.equals(path) ? options : options.withSplit("");
    Dataset dataset = openAny(folder, rest, store);
    try {
      return Labelled.of(dataset, options.classes());
    } catch (IOException | RuntimeException e) {
      dataset.close();
      throw e;
    }
  }

  /// Says it if there may be something that cannot be looked at.
  private static void requireAccess(Path path) throws IOException {
    try {
      path.getFileSystem().provider().checkAccess(path);
    } catch (NoSuchFileException e) {
      // as was said
    }
  }

  /// As [#open(Path, OpenOptions)], with labels as they are stored.
  private static Dataset openAny(Path path, OpenOptions options, Store store) throws IOException {
    if (!Files.exists(path) && !ShardFiles.isPattern(ShardFiles.baseName(path))) {
      requireAccess(path);
      throw new NoSuchFileException(path.toString(), null, "no such file or folder");
    }
    Manifest manifest = Files.isDirectory(path) ? Manifest.readIfPresent(path) : null;
    if (manifest == null) {
      requireFinished(path);
    }
    if (!options.pairs().isEmpty()) {
      if (manifest != null || !Files.isDirectory(path)) {
        options.requireNoPairs(path);
      }
      return folders().open(path, options, store);
    }
    if (manifest != null) {
      return openerBy(path, manifest, options).open(path, options, store);
    }
    DatasetOpener opener = openerOf(path);
    if (opener != null) {
      return opener.open(path, options, store);
    }
    if (!Files.isDirectory(path)) {
      throw new ConfigException(path + refusal(path));
    }
    try (var entries = Files.newDirectoryStream(path)) {
      if (!entries.iterator().hasNext()) {
        throw new ConfigException(path + " is an empty folder");
      }
    }
    if (!options.foldersAreClasses()) {
      Splits.requireClasses(path, options.split(), Datasets::kindOf);
    }
    try {
      return folders().open(path, options, store);
    } catch (ConfigException e) {
      requireFinished(path); // it may have begun meanwhile
      Splits.requireNoDatasets(path, Datasets::kindOf);
      throw e;
    }
  }

  private static void requireFinished(Path path) {
    if (Files.exists(path.resolve(UNFINISHED))) {
      throw new ConfigException(
          path
              + " holds a conversion that is not finished: the command that began it takes it up"
              + " again");
    }
  }

  /// A manifest is about one dataset: it has no split beside its own.
  private static void requireWhole(Path path, Manifest manifest, OpenOptions options) {
    List<Path> files = manifest.shards().stream().map(s -> path.resolve(s.file())).toList();
    if (!options.split().isEmpty()
        && Splits.choose(path, files, options.split()).size() < files.size()) {
      throw new ConfigException(
          "%s is one dataset by its manifest: leave out the split '%s'"
              .formatted(path, options.split()));
    }
  }

  /// {@return what opens the kind of dataset that a manifest says}
  private static DatasetOpener openerBy(Path path, Manifest manifest, OpenOptions options)
      throws CorruptDataException {
    if (!manifest.container().equals(FOLDER)) {
      requireWhole(path, manifest, options);
    }
    DatasetOpener opener = named(manifest.container());
    if (opener == null) {
      throw new CorruptDataException(
          Fault.UNSUPPORTED,
          "container '%s': nothing here reads it".formatted(manifest.container()),
          Location.of(path.resolve(Manifest.FILE).toString()),
          null);
    }
    return opener;
  }

  private static @Nullable DatasetOpener named(String kind) {
    return OPENERS.stream().filter(each -> each.name().equals(kind)).findFirst().orElse(null);
  }

  private static DatasetOpener folders() {
    return Objects.requireNonNull(named(FOLDER), "nothing opens folders");
  }

  private static @Nullable DatasetOpener openerOf(Path path) throws IOException {
    for (DatasetOpener opener : OPENERS) {
      if (opener.opens(path)) {
        return opener;
      }
    }
    return null;
  }

  /// {@return what kind of shards a folder holds, in words; empty if none}
  private static String kindOf(Path folder) throws IOException {
    DatasetOpener opener = openerOf(folder);
    return opener == null ? "" : opener.name();
  }

  /// {@return why a file cannot be opened, to be said after its name}
  private static String refusal(Path path) throws IOException {
    try (LocalFile file = LocalFile.open(path);
        Arena arena = Arena.ofConfined()) {
      MemorySegment first = arena.allocate(Math.min(FIRST_BYTES, file.size()));
      file.read(0, first);
      Content content = Content.of(first);
      if (content != null) {
        return " is one " + content.word() + ": open its folder";
      }
      String name = FirstBytes.name(first);
      String advice = FirstBytes.advice(first);
      return name == null
          ? " is not a TFRecord file, nor anything else that is known here"
          : " is " + name + ": " + (advice.isEmpty() ? "not a dataset that is read here" : advice);
    }
  }
}
