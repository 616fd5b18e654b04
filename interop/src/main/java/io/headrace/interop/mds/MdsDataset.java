package io.headrace.interop.mds;

import io.headrace.error.ConfigException;
import io.headrace.format.OpenOptions;
import io.headrace.format.shard.ShardedDataset;
import io.headrace.store.Store;
import java.io.IOException;
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
public final class MdsDataset extends ShardedDataset<MdsShard> {
  private final List<String> warnings;

  private MdsDataset(Path root, List<MdsShard> shards, List<String> warnings) {
    super(root, null, shards); // the format has no names of classes and no digests
    this.warnings = List.copyOf(warnings);
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
  public boolean mayHaveLabelTexts() {
    return opened().stream().anyMatch(s -> s.columns().mayHaveLabelTexts());
  }

  @Override
  public long size() {
    return total();
  }

  @Override
  protected SampleReader newReader(long[] starts) {
    return new MdsReader(opened(), starts);
  }

  @Override
  public SampleCursor openCursor(int shard) {
    return new MdsCursor(opened().get(shard));
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }
}
