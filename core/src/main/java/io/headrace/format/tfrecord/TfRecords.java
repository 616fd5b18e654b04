package io.headrace.format.tfrecord;

import io.headrace.codec.stream.StreamKind;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.OpenOptions;
import io.headrace.format.files.ShardFiles;
import io.headrace.format.shard.ShardOptions;
import io.headrace.format.shard.ShardSet;
import io.headrace.format.shard.ShardedDataset;
import io.headrace.memory.Block;
import io.headrace.memory.BufferPool;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Image samples in TFRecord shards: indexed if no shard is compressed, else streaming only.
///
/// Where a manifest lies beside the shards it gives classes and counts, and what the files hold
/// must agree with it. A tail that cannot be read stands as one sample (with a manifest, as many as
/// are missing), and reading that throws the fault: it cannot go unnoticed.
public final class TfRecords extends ShardedDataset<TfRecordShard> {
  private final int maxWindowLog;
  private final ImageRecordReader.Names names;
  private final boolean labelNamed;
  private final BufferPool buffers = RecordReader.newPool();

  private TfRecords(ShardSet set, List<TfRecordShard> shards, OpenOptions said) {
    super(set.root(), set.manifest(), shards);
    maxWindowLog = set.options().maxWindowLog();
    names = ImageRecordReader.Names.of(said, !classes().isEmpty());
    labelNamed = said.feature(OpenOptions.LABEL) != null;
  }

  /// Opens a folder of shards, a pattern such as `data/train-*`, or one file.
  ///
  /// @throws ConfigException if no file matches, or a shard of a set is missing
  /// @throws CorruptDataException if a file is not compressed as declared, or the manifest is bad
  public static TfRecords open(Path path, ShardOptions options) throws IOException {
    return open(path, OpenOptions.DEFAULT, options, Store.LOCAL);
  }

  /// As [#open(Path, ShardOptions)], of one split, through a store, with names of features. Labels
  /// that are texts stay texts: see [io.headrace.format.Sample#hasLabelText].
  public static TfRecords open(Path path, OpenOptions said, ShardOptions options, Store store)
      throws IOException {
    return open(
        ShardSet.find(path, said, options, TfRecordContainer.NAME, ShardFiles::expand),
        said,
        store);
  }

  /// Opens files in the given order.
  ///
  /// @param root to call the dataset by
  /// @throws ConfigException if there is no file, or a shard of a set is missing
  /// @throws CorruptDataException if a file is not compressed as declared
  public static TfRecords open(Path root, List<Path> files, ShardOptions options)
      throws IOException {
    return open(ShardSet.of(root, files, options), OpenOptions.DEFAULT, Store.LOCAL);
  }

  private static TfRecords open(ShardSet set, OpenOptions said, Store store) throws IOException {
    StreamKind kind = set.options().compression();
    List<TfRecordShard> shards =
        set.open((file, _, declared) -> new TfRecordShard(file, store, kind, declared));
    return new TfRecords(set, shards, said);
  }

  /// {@return what is odd but does no harm, such as empty files}
  @Override
  public List<String> warnings() {
    return opened().stream()
        .filter(s -> s.bytes() == 0)
        .map(s -> "%s is empty: no records".formatted(s.name()))
        .toList();
  }

  /// {@return whether a label may be a text: not where a manifest says what the numbers mean}
  @Override
  public boolean mayHaveLabelTexts() {
    return manifest() == null || labelNamed;
  }

  /// {@return number of records, by reading all of them where they are compressed}
  ///
  /// @throws CorruptDataException at the first damaged record
  public long count() throws IOException {
    if (indexed()) {
      return total();
    }
    long count = 0;
    try (var block = new Block(MemoryBudget.unbounded())) {
      for (int shard = 0; shard < opened().size(); shard++) {
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
    return opened().get(shard).reader(maxWindowLog, buffers);
  }

  @Override
  protected SampleReader newReader(long[] starts) {
    return new TfRecordSampleReader(opened(), starts, new ImageRecordReader(names));
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    return opened().get(shard).cursor(maxWindowLog, buffers, new ImageRecordReader(names));
  }

  @Override
  public void close() throws IOException {
    buffers.close();
    super.close();
  }
}
