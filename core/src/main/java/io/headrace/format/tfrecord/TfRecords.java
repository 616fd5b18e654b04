package io.headrace.format.tfrecord;

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
import io.headrace.memory.Block;
import io.headrace.memory.BufferPool;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Fanout;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Image samples in TFRecord shards: indexed if no shard is compressed, else streaming only.
///
/// Where a manifest lies beside the shards it gives classes and counts, and what the files hold
/// must agree with it. A tail that cannot be read stands as one sample (with a manifest, as many as
/// are missing), and reading that throws the fault: it cannot go unnoticed.
public final class TfRecords implements Dataset {
  private final Path root;
  private final @Nullable Manifest manifest;
  private final List<TfRecordShard> shards;
  private final int maxWindowLog;
  private final ImageRecordReader.Names names;
  private final boolean labelNamed;
  private final List<String> warnings;
  private final BufferPool buffers = RecordReader.newPool();
  private long @Nullable [] starts;

  private TfRecords(
      Path root,
      @Nullable Manifest manifest,
      List<TfRecordShard> shards,
      int maxWindowLog,
      OpenOptions options) {
    this.root = root;
    this.manifest = manifest;
    this.shards = List.copyOf(shards);
    this.maxWindowLog = maxWindowLog;
    names = ImageRecordReader.Names.of(options, manifest != null && !manifest.classes().isEmpty());
    labelNamed = options.feature(OpenOptions.LABEL) != null;
    warnings =
        shards.stream()
            .filter(s -> s.bytes() == 0)
            .map(s -> "%s is empty: no records".formatted(s.name()))
            .toList();
  }

  /// Opens a folder of shards, a pattern such as `data/train-*`, or one file.
  ///
  /// @throws ConfigException if no file matches, or a shard of a set is missing
  /// @throws CorruptDataException if a file is not compressed as declared, or the manifest is bad
  public static TfRecords open(Path path, TfRecordOptions options) throws IOException {
    return open(path, options, Store.LOCAL);
  }

  /// As [#open(Path, TfRecordOptions)], with files read through a store.
  public static TfRecords open(Path path, TfRecordOptions options, Store store) throws IOException {
    return open(path, OpenOptions.DEFAULT, options, store);
  }

  /// As [#open(Path, TfRecordOptions, Store)], of one split, with names of features. Labels that
  /// are texts stay texts: see [io.headrace.format.Sample#hasLabelText].
  public static TfRecords open(Path path, OpenOptions said, TfRecordOptions options, Store store)
      throws IOException {
    if (Files.isDirectory(path)) {
      Manifest manifest = Manifest.readIfPresent(path);
      if (manifest != null) {
        return open(path, manifest, said, options, store);
      }
      List<Path> files = Splits.choose(path, ShardFiles.expand(path), said);
      return open(path, files, said, options, store);
    }
    Path parent = Objects.requireNonNullElse(path.getParent(), Path.of(""));
    List<Path> files = Splits.choose(path, ShardFiles.expand(path), said);
    boolean single = files.size() == 1 && Files.exists(path);
    var opts =
        single ? new TfRecordOptions(options.compression(), true, options.maxWindowLog()) : options;
    return open(single ? path : parent, files, said, opts, store);
  }

  /// Opens files in the given order.
  ///
  /// @param root to call the dataset by
  /// @throws ConfigException if there is no file, or a shard of a set is missing
  /// @throws CorruptDataException if a file is not compressed as declared
  public static TfRecords open(Path root, List<Path> files, TfRecordOptions options)
      throws IOException {
    return open(root, files, OpenOptions.DEFAULT, options, Store.LOCAL);
  }

  private static TfRecords open(
      Path root, List<Path> files, OpenOptions said, TfRecordOptions options, Store store)
      throws IOException {
    if (files.isEmpty()) {
      throw new ConfigException("no input files in an empty list");
    }
    if (!options.partial()) {
      ShardFiles.checkComplete(files);
    }
    long[] declared = new long[files.size()];
    Arrays.fill(declared, -1);
    List<TfRecordShard> shards = openAll(store, files, options.compression(), declared);
    return new TfRecords(root, null, shards, options.maxWindowLog(), said);
  }

  private static TfRecords open(
      Path folder, Manifest manifest, OpenOptions said, TfRecordOptions options, Store store)
      throws IOException {
    if (!manifest.container().equals("tfrecord")) {
      throw new CorruptDataException(
          Fault.UNSUPPORTED,
          "container '%s': nothing here reads it".formatted(manifest.container()),
          Location.of(folder.resolve(Manifest.FILE).toString()),
          null);
    }
    Compression compression = Compression.parse(manifest.compression());
    List<Path> files = manifest.files(folder);
    StreamKind kind = Objects.requireNonNullElse(options.compression(), compression.kind());
    long[] declared = manifest.shards().stream().mapToLong(Manifest.Shard::samples).toArray();
    int window = compression instanceof Zstd zstd ? zstd.windowLog() : 0;
    return new TfRecords(
        folder,
        manifest,
        openAll(store, files, kind, declared),
        Math.max(window, options.maxWindowLog()),
        said);
  }

  private static List<TfRecordShard> openAll(
      Store store, List<Path> files, @Nullable StreamKind kind, long[] declared)
      throws IOException {
    TfRecordShard[] shards = new TfRecordShard[files.size()];
    Fanout.each(
        IntStream.range(0, shards.length).boxed().toList(),
        i -> shards[i] = TfRecordShard.open(store, files.get(i), kind, declared[i]));
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

  /// {@return what is odd but does no harm, such as empty files}
  @Override
  public List<String> warnings() {
    return warnings;
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
    if (!indexed()) {
      return -1;
    }
    return starts()[shards.size()];
  }

  /// {@return number of records, by reading all of them where they are compressed}
  ///
  /// @throws CorruptDataException at the first damaged record
  public long count() throws IOException {
    if (indexed()) {
      return starts()[shards.size()];
    }
    long count = 0;
    try (var block = new Block(MemoryBudget.unbounded())) {
      for (int shard = 0; shard < shards.size(); shard++) {
        try (RecordReader reader = openRecords(shard)) {
          while (reader.next(block) >= 0) {
            count++;
          }
        }
      }
    }
    return count;
  }

  /// {@return a reader of a shard's records as they are, from the first}
  ///
  /// @param shard its number in [#shards]
  public RecordReader openRecords(int shard) throws IOException {
    return shards.get(shard).reader(maxWindowLog, buffers);
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
    for (TfRecordShard shard : shards) {
      shard.checkNotMore();
    }
    return new TfRecordSampleReader(shards, from, new ImageRecordReader(names));
  }

  /// {@return number of the first record of each shard, and behind them the total}
  private synchronized long[] starts() {
    long[] s = starts;
    if (s == null) {
      s = new long[shards.size() + 1];
      indexAll();
      for (int i = 0; i < shards.size(); i++) {
        s[i + 1] = s[i] + shards.get(i).records();
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
            RecordIndex _ = shard.index();
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e); // interrupted or closed: an index keeps its own faults
    }
  }

  @Override
  public List<Path> shards() {
    return shards.stream().map(TfRecordShard::path).toList();
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    TfRecordShard s = shards.get(shard);
    return s.cursor(maxWindowLog, buffers, new ImageRecordReader(names));
  }

  @Override
  public long storedBytes() {
    return shards.stream().mapToLong(TfRecordShard::bytes).sum();
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
    buffers.close();
    for (TfRecordShard shard : shards) {
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
