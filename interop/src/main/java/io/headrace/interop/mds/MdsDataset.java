package io.headrace.interop.mds;

import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.OpenOptions;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A folder of MDS shards. It is indexed if each shard is there uncompressed. Else it only streams,
/// since a compressed shard is decompressed as a whole.
///
/// One column is the image (of encoding `jpeg`, `png` or `pil`, or `bytes` of a telling name), one
/// the label, the others are fields of the sample where they are bytes, texts or numbers.
public final class MdsDataset implements Dataset {
  private final Path root;
  private final List<MdsShard> shards;
  private final List<String> warnings;
  private final long[] starts;

  private MdsDataset(Path root, List<MdsShard> shards, List<String> warnings) {
    this.root = root;
    this.shards = List.copyOf(shards);
    this.warnings = List.copyOf(warnings);
    starts = new long[shards.size() + 1];
    for (int i = 0; i < shards.size(); i++) {
      starts[i + 1] = starts[i] + shards.get(i).about().samples();
    }
  }

  /// Opens a folder with an `index.json`.
  ///
  /// @throws ConfigException if no column holds images, or there are no shards
  /// @throws java.nio.file.NoSuchFileException if a shard is missing
  /// @throws io.headrace.error.CorruptDataException if the index makes no sense
  public static MdsDataset open(Path folder, Store store) throws IOException {
    return open(folder, OpenOptions.DEFAULT, store);
  }

  /// As [#open(Path, Store)], with names of columns. Labels that are texts stay texts: see
  /// [io.headrace.format.Sample#hasLabelText].
  public static MdsDataset open(Path folder, OpenOptions said, Store store) throws IOException {
    said.requireNoSplit(folder);
    if (said.feature(OpenOptions.KEY) != null) {
      throw new ConfigException("features: the key of an MDS sample is its file's name and number");
    }
    List<MdsIndex.Shard> index = MdsIndex.read(folder.resolve(MdsIndex.FILE), store);
    if (index.isEmpty()) {
      throw new ConfigException(folder.resolve(MdsIndex.FILE) + " names no shards");
    }
    Map<List<MdsIndex.Column>, MdsColumns> schemas = new HashMap<>();
    List<MdsShard> shards = new ArrayList<>();
    Set<String> asStored = new LinkedHashSet<>();
    boolean unchecked = false;
    for (MdsIndex.Shard each : index) {
      MdsColumns columns = schemas.computeIfAbsent(each.columns(), c -> new MdsColumns(c, said));
      var shard = new MdsShard(folder, each, columns, store);
      shards.add(shard);
      asStored.addAll(columns.asStored());
      unchecked |= Hashes.uncheckable(shard.stored().hashes());
    }
    List<String> warnings = new ArrayList<>();
    if (!asStored.isEmpty()) {
      warnings.add("columns kept as the bytes they are stored as: " + String.join(", ", asStored));
    }
    if (unchecked) {
      warnings.add("hashes are not checked: none is of a kind that is known here");
    }
    return new MdsDataset(folder, shards, warnings);
  }

  @Override
  public Path root() {
    return root;
  }

  /// {@return no names: the format has none}
  @Override
  public List<String> classes() {
    return List.of();
  }

  @Override
  public boolean mayHaveLabelTexts() {
    return shards.stream().anyMatch(s -> s.columns().mayHaveLabelTexts());
  }

  @Override
  public long size() {
    return starts[shards.size()];
  }

  @Override
  public boolean indexed() {
    return shards.stream().noneMatch(MdsShard::compressed);
  }

  @Override
  public SampleReader openReader() {
    if (!indexed()) {
      throw new UnsupportedOperationException("compressed shards can only be streamed");
    }
    return new MdsReader(shards, starts);
  }

  @Override
  public List<Path> shards() {
    return shards.stream().map(MdsShard::path).toList();
  }

  @Override
  public SampleCursor openCursor(int shard) {
    return new MdsCursor(shards.get(shard));
  }

  @Override
  public long storedBytes() throws IOException {
    long sum = 0;
    for (MdsShard shard : shards) {
      sum += Files.size(shard.path());
    }
    return sum;
  }

  /// {@return an empty text: only a full read would tell}
  @Override
  public String setDigest() {
    return "";
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (MdsShard shard : shards) {
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
