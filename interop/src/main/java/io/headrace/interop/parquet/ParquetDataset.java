package io.headrace.interop.parquet;

import dev.hardwood.HardwoodContext;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.error.Location;
import io.headrace.format.Dataset;
import io.headrace.format.OpenOptions;
import io.headrace.interop.table.Columns;
import io.headrace.store.Fanout;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/// Images in Parquet files, one row a sample. Streams only: a row group is decoded in order.
public final class ParquetDataset implements Dataset {
  private static final int THREADS = 2;

  /// The library logs at start which instructions it uses. This reference keeps the logger, and
  /// with it its level.
  private static final Logger LIBRARY = Logger.getLogger("dev.hardwood");

  static {
    LIBRARY.setLevel(Level.WARNING);
  }

  private final Path root;
  private final Store store;
  private final HardwoodContext context;
  private final List<ParquetShard> shards;
  private volatile boolean closed;

  private ParquetDataset(
      Path root, Store store, HardwoodContext context, List<ParquetShard> shards) {
    this.root = root;
    this.store = store;
    this.context = context;
    this.shards = List.copyOf(shards);
  }

  /// Opens one file, a folder of files, a folder with such a folder `data`, or a pattern.
  ///
  /// @throws ConfigException if no column holds images, a file of a set is missing, or several
  ///     splits are there
  /// @throws CorruptDataException if a file's footer makes no sense, or classes differ
  public static ParquetDataset open(Path path, Store store) throws IOException {
    return open(path, OpenOptions.DEFAULT, store);
  }

  /// As [#open(Path, Store)], of one split, with names of columns. Labels that are texts stay
  /// texts: see [io.headrace.format.Sample#hasLabelText].
  public static ParquetDataset open(Path path, OpenOptions said, Store store) throws IOException {
    if (said.feature(OpenOptions.KEY) != null) {
      throw new ConfigException("features: the key of a Parquet row is its file's name and number");
    }
    List<Path> files = ParquetFiles.expand(path, said);
    HardwoodContext context = HardwoodContext.create(THREADS);
    boolean opened = false;
    try {
      ParquetShard[] shards = new ParquetShard[files.size()];
      Fanout.each(
          IntStream.range(0, shards.length).boxed().toList(),
          i -> shards[i] = ParquetShard.open(files.get(i), said, store, context));
      checkClasses(shards);
      opened = true;
      return new ParquetDataset(path, store, context, Arrays.asList(shards));
    } finally {
      if (!opened) {
        context.close();
      }
    }
  }

  private static void checkClasses(ParquetShard[] shards) throws CorruptDataException {
    for (ParquetShard shard : shards) {
      if (!shard.classes().equals(shards[0].classes())) {
        throw new CorruptDataException(
            Fault.MISMATCH,
            "classes %s, but %s has %s"
                .formatted(shard.classes(), shards[0].path(), shards[0].classes()),
            Location.of(shard.path().toString()),
            null);
      }
    }
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public List<String> classes() {
    return shards.getFirst().classes();
  }

  @Override
  public boolean mayHaveLabelTexts() {
    return shards.stream()
        .anyMatch(s -> s.columns().hasTextLabels() || s.columns().labelList() != null);
  }

  @Override
  public long size() {
    return shards.stream().mapToLong(ParquetShard::rows).sum();
  }

  /// {@return no: a shuffled read would decode a row group for each sample}
  @Override
  public boolean indexed() {
    return false;
  }

  @Override
  public SampleReader openReader() {
    throw new UnsupportedOperationException("Parquet files can only be streamed");
  }

  @Override
  public List<Path> shards() {
    return shards.stream().map(ParquetShard::path).toList();
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    return new ParquetCursor(shards.get(shard), store, context, () -> closed);
  }

  @Override
  public long storedBytes() {
    return shards.stream().mapToLong(ParquetShard::bytes).sum();
  }

  /// {@return an empty text: only a full read would tell}
  @Override
  public String setDigest() {
    return "";
  }

  @Override
  public List<String> warnings() {
    Set<String> leftOut = new LinkedHashSet<>();
    shards.forEach(shard -> leftOut.addAll(shard.columns().leftOut()));
    return Columns.leftOutWarning(leftOut);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      context.close();
    }
  }
}
