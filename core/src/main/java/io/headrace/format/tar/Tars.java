package io.headrace.format.tar;

import io.headrace.codec.stream.StreamKind;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.OpenOptions;
import io.headrace.format.shard.ShardOptions;
import io.headrace.format.shard.ShardSet;
import io.headrace.format.shard.ShardedDataset;
import io.headrace.format.tar.archive.Notes;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

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
public final class Tars extends ShardedDataset<TarShard> {
  private final int maxWindowLog;
  private final boolean labelNamed;

  private Tars(ShardSet set, List<TarShard> shards, OpenOptions said) {
    super(set.root(), set.manifest(), shards);
    maxWindowLog = set.options().maxWindowLog();
    labelNamed = said.feature(OpenOptions.LABEL) != null;
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
  public static Tars open(Path path, ShardOptions options) throws IOException {
    return open(path, OpenOptions.DEFAULT, options, Store.LOCAL);
  }

  /// As [#open(Path, ShardOptions)], of one split, through a store, with extensions for image and
  /// label. Labels that are texts stay texts: see [io.headrace.format.Sample#hasLabelText].
  public static Tars open(Path path, OpenOptions said, ShardOptions options, Store store)
      throws IOException {
    if (said.feature(OpenOptions.KEY) != null) {
      throw new ConfigException("features: the key of a sample in a tar is its image's name");
    }
    return open(
        ShardSet.find(path, said, options, TarContainer.NAME, TarFiles::expand), said, store);
  }

  /// Opens files in the given order.
  ///
  /// @param root to call the dataset by
  /// @throws ConfigException if there is no file, or a shard of a set is missing
  /// @throws CorruptDataException if a file is not compressed as declared
  public static Tars open(Path root, List<Path> files, ShardOptions options, Store store)
      throws IOException {
    return open(ShardSet.of(root, files, options), OpenOptions.DEFAULT, store);
  }

  private static Tars open(ShardSet set, OpenOptions said, Store store) throws IOException {
    StreamKind kind = set.options().compression();
    MemberRoles roles = MemberRoles.of(said);
    List<TarShard> shards =
        set.open((file, _, declared) -> new TarShard(file, store, kind, declared, roles));
    return new Tars(set, shards, said);
  }

  /// {@return what is odd but does no harm: members left out, samples without a label, archives
  /// without an end, an index that was not believed; as far as the shards have been read by now,
  /// for the index or to their end}
  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    var notes = new Notes();
    for (TarShard shard : opened()) {
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

  /// {@return whether a label may be a text: not where a manifest says what the numbers mean}
  @Override
  public boolean mayHaveLabelTexts() {
    return manifest() == null || labelNamed;
  }

  @Override
  protected SampleReader newReader(long[] starts) {
    return new TarSampleReader(opened(), starts);
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    return opened().get(shard).cursor(maxWindowLog);
  }
}
