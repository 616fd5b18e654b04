package io.headrace.format.tar;

import io.headrace.codec.stream.Compression;
import io.headrace.codec.stream.Compression.Zstd;
import io.headrace.codec.stream.StreamKind;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import io.headrace.format.ShardFiles;
import io.headrace.format.Splits;
import io.headrace.store.Fanout;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Image samples in tar shards, as WebDataset names their members: indexed if no shard is
/// compressed, else streaming only.
///
/// A sample is a run of members whose paths are equal up to the first dot of the base name; what
/// follows is the member's extension. Its image is the first member with an image's extension, or
/// else with an image's content; `.cls` is its label; the other members are fields by extension.
/// Its key is the image member's path, unless that carries another in a PAX record `HEADRACE.key`.
///
/// Where a manifest lies beside the shards it gives classes and counts, and what the files hold
/// must agree with it. A tail that cannot be read stands as one sample (with a manifest, as many as
/// are missing), and reading that throws the fault: it cannot go unnoticed. Tar has checksums of
/// headers, not of data: a flipped bit of an image changes this image, and is found by the
/// manifest's checksum of the whole file alone.
public final class Tars implements Dataset {
  private final Path root;
  private final @Nullable Manifest manifest;
  private final List<TarShard> shards;
  private final int maxWindowLog;
  private final boolean labelNamed;
  private long @Nullable [] starts;

  private Tars(
      Path root,
      @Nullable Manifest manifest,
      List<TarShard> shards,
      int maxWindowLog,
      OpenOptions said) {
    labelNamed = said.feature(OpenOptions.LABEL) != null;
    this.root = root;
    this.manifest = manifest;
    this.shards = List.copyOf(shards);
    this.maxWindowLog = maxWindowLog;
    for (int i = 0; shards.size() > 1 && i < shards.size(); i++) {
      shards.get(i).neighbour(shards.get(i == 0 ? 1 : 0));
    }
  }

  /// Opens a folder of shards, a pattern such as `data/train-*.tar` or `train-{000..145}.tar`, or
  /// one file, of the local file system.
  ///
  /// @throws ConfigException if no file matches, or a shard of a set is missing
  /// @throws NoSuchFileException if there is no such file or folder
  /// @throws CorruptDataException if a file is not compressed as declared, or the manifest is bad
  public static Tars open(Path path, TarOptions options) throws IOException {
    return open(path, options, Store.LOCAL);
  }

  /// As [#open(Path, TarOptions)], with the bytes of the shards read through a store.
  public static Tars open(Path path, TarOptions options, Store store) throws IOException {
    return open(path, OpenOptions.DEFAULT, options, store);
  }

  /// As [#open(Path, TarOptions, Store)], of one split, with extensions for image and label. Labels
  /// that are texts stay texts: see [io.headrace.format.Sample#hasLabelText].
  public static Tars open(Path path, OpenOptions said, TarOptions options, Store store)
      throws IOException {
    if (said.feature(OpenOptions.KEY) != null) {
      throw new ConfigException("features: the key of a sample in a tar is its image's name");
    }
    if (Files.isDirectory(path)) {
      Manifest manifest = Manifest.readIfPresent(path);
      if (manifest != null) {
        return open(path, manifest, said, options, store);
      }
      List<Path> files = Splits.choose(path, TarFiles.expand(path), said);
      return open(path, files, said, options, store);
    }
    Path parent = Objects.requireNonNullElse(path.getParent(), Path.of(""));
    List<Path> files = Splits.choose(path, TarFiles.expand(path), said);
    boolean single = files.size() == 1 && Files.exists(path);
    var opts =
        single ? new TarOptions(options.compression(), true, options.maxWindowLog()) : options;
    return open(single ? path : parent, files, said, opts, store);
  }

  /// Opens files in the given order.
  ///
  /// @param root to call the dataset by
  /// @throws ConfigException if there is no file, or a shard of a set is missing
  /// @throws CorruptDataException if a file is not compressed as declared
  public static Tars open(Path root, List<Path> files, TarOptions options, Store store)
      throws IOException {
    return open(root, files, OpenOptions.DEFAULT, options, store);
  }

  private static Tars open(
      Path root, List<Path> files, OpenOptions said, TarOptions options, Store store)
      throws IOException {
    if (files.isEmpty()) {
      throw new ConfigException("no input files in an empty list");
    }
    if (!options.partial()) {
      ShardFiles.checkComplete(files);
    }
    long[] declared = new long[files.size()];
    Arrays.fill(declared, -1);
    List<TarShard> shards = openAll(files, store, options.compression(), declared, said);
    return new Tars(root, null, shards, options.maxWindowLog(), said);
  }

  private static Tars open(
      Path folder, Manifest manifest, OpenOptions said, TarOptions options, Store store)
      throws IOException {
    if (!manifest.container().equals(TarContainer.NAME)) {
      throw new CorruptDataException(
          Fault.UNSUPPORTED,
          "container '%s': not %s".formatted(manifest.container(), TarContainer.NAME),
          Location.of(folder.resolve(Manifest.FILE).toString()),
          null);
    }
    Compression compression = Compression.parse(manifest.compression());
    List<Path> files = manifest.files(folder);
    StreamKind kind = Objects.requireNonNullElse(options.compression(), compression.kind());
    long[] declared = manifest.shards().stream().mapToLong(Manifest.Shard::samples).toArray();
    int window = compression instanceof Zstd zstd ? zstd.windowLog() : 0;
    return new Tars(
        folder,
        manifest,
        openAll(files, store, kind, declared, said),
        Math.max(window, options.maxWindowLog()),
        said);
  }

  private static List<TarShard> openAll(
      List<Path> files, Store store, @Nullable StreamKind kind, long[] declared, OpenOptions said)
      throws IOException {
    MemberRoles roles = MemberRoles.of(said);
    TarShard[] shards = new TarShard[files.size()];
    Fanout.each(
        IntStream.range(0, shards.length).boxed().toList(),
        i -> shards[i] = TarShard.open(files.get(i), store, kind, declared[i], roles));
    return Arrays.asList(shards);
  }

  @Override
  public Path root() {
    return root;
  }

  /// {@return the manifest that lies beside the shards, or null}
  public @Nullable Manifest manifest() {
    return manifest;
  }

  /// {@return what is odd but does no harm: members left out, samples without a label, archives
  /// without an end, an index that was not believed; as far as the shards have been read by now,
  /// for the index or to their end}
  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    var notes = new Notes();
    for (TarShard shard : shards) {
      if (shard.bytes() == 0) {
        warnings.add("%s is empty: no members".formatted(shard.name()));
      }
      String trouble = shard.indexTrouble();
      if (!trouble.isEmpty()) {
        warnings.add(trouble);
      }
      Notes own = shard.bytes() == 0 ? null : shard.notes();
      if (own != null) {
        notes.addAll(own);
      }
    }
    warnings.addAll(notes.lines());
    return List.copyOf(warnings);
  }

  @Override
  public List<String> classes() {
    return manifest == null ? List.of() : manifest.classes();
  }

  /// {@return whether a label may be a text: not where a manifest says what the numbers mean}
  @Override
  public boolean mayHaveLabelTexts() {
    return manifest == null || labelNamed;
  }

  @Override
  public long size() {
    if (manifest != null) {
      return manifest.samples();
    }
    return indexed() ? starts()[shards.size()] : -1;
  }

  @Override
  public boolean indexed() {
    return shards.stream().allMatch(s -> s.kind() == StreamKind.NONE);
  }

  @Override
  public SampleReader openReader() throws IOException {
    if (!indexed()) {
      throw new UnsupportedOperationException("compressed shards can only be streamed");
    }
    long[] from;
    try {
      from = starts();
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause());
    }
    for (TarShard shard : shards) {
      shard.checkNotMore();
    }
    return new TarSampleReader(shards, from);
  }

  /// {@return number of the first sample of each shard, and behind them the total}
  private synchronized long[] starts() {
    long[] s = starts;
    if (s == null) {
      s = new long[shards.size() + 1];
      indexAll();
      for (int i = 0; i < shards.size(); i++) {
        s[i + 1] = s[i] + shards.get(i).samples();
      }
      starts = s;
    }
    return s;
  }

  private void indexAll() {
    try {
      Fanout.each(
          shards,
          shard -> {
            TarIndex _ = shard.index();
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e); // interrupted or closed: an index keeps its own faults
    }
  }

  @Override
  public List<Path> shards() {
    return shards.stream().map(TarShard::path).toList();
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    return shards.get(shard).cursor(maxWindowLog);
  }

  @Override
  public long storedBytes() {
    return shards.stream().mapToLong(TarShard::bytes).sum();
  }

  @Override
  public String setDigest() {
    return manifest == null ? "" : manifest.setDigest();
  }

  @Override
  public String labelDigest() {
    return manifest == null ? "" : manifest.labelDigest();
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (TarShard shard : shards) {
      try {
        shard.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
