package io.headrace.interop.pcr;

import io.headrace.format.Manifest;
import io.headrace.format.shard.ShardedDataset;
import io.headrace.store.Store;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Progressive Compressed Records: each record file is a shard, each scan group a fidelity.
///
/// Images keep their bytes at full fidelity where Headrace wrote the records; others end with an
/// end marker after the last scan. A record whose metadata cannot be read counts as one sample, and
/// reading it throws the fault. So it cannot go unnoticed.
public final class PcrDataset extends ShardedDataset<RecordFile> {
  private final List<String> warnings;

  private PcrDataset(
      Path root, @Nullable Manifest manifest, List<RecordFile> records, List<String> warnings) {
    super(root, manifest, records);
    this.warnings = List.copyOf(warnings);
  }

  /// Opens a folder with an index, `PCR_index.pb` or `PCR.db`, and the records it names.
  ///
  /// @throws NoSuchFileException if there is no index, or a record is missing
  /// @throws io.headrace.error.CorruptDataException if the index or the manifest makes no sense
  public static PcrDataset open(Path folder, Store store) throws IOException {
    PcrIndex index = PcrIndex.read(folder, store);
    Manifest manifest = Manifest.readIfPresent(folder);
    if (manifest != null && !manifest.container().equals(PcrContainer.NAME)) {
      manifest = null; // it is about other files
    }
    List<RecordFile> records = new ArrayList<>();
    if (manifest == null) {
      for (PcrIndex.Entry entry : index.entries()) {
        records.add(record(folder, entry, store, -1, index.file()));
      }
    } else {
      Map<String, PcrIndex.Entry> byName = new HashMap<>();
      index.entries().forEach(e -> byName.put(e.name(), e));
      for (Manifest.Shard shard : manifest.shards()) {
        PcrIndex.Entry entry = byName.get(shard.file());
        if (entry == null && shard.samples() == 0) {
          // the index names no empty record, since others cannot read it
          entry = new PcrIndex.Entry(shard.file(), List.of(shard.bytes()));
        }
        if (entry == null) {
          throw new NoSuchFileException(
              index.file().toString(), null, "the index does not name " + shard.file());
        }
        records.add(record(folder, entry, store, shard.samples(), folder.resolve(Manifest.FILE)));
      }
    }
    return new PcrDataset(folder, manifest, records, strangers(folder, records));
  }

  private static RecordFile record(
      Path folder, PcrIndex.Entry entry, Store store, long declared, Path namedBy)
      throws IOException {
    Path path = folder.resolve(entry.name());
    if (!Files.exists(path)) {
      throw new NoSuchFileException(
          path.toString(), null, "%s names it, but it is missing".formatted(namedBy));
    }
    return new RecordFile(path, entry, store, declared);
  }

  private static List<String> strangers(Path folder, List<RecordFile> records) throws IOException {
    Set<String> known = records.stream().map(r -> r.entry().name()).collect(Collectors.toSet());
    Set<String> strange = new TreeSet<>();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, "*" + PcrContainer.EXTENSION)) {
      for (Path file : files) {
        String name = String.valueOf(file.getFileName());
        if (!known.contains(name)) {
          strange.add(name);
        }
      }
    }
    return strange.isEmpty()
        ? List.of()
        : List.of(
            "%d records are not in the index and are left out, such as %s"
                .formatted(strange.size(), strange.iterator().next()));
  }

  @Override
  protected SampleReader newReader(long[] starts) {
    return new PcrReader(opened(), starts);
  }

  @Override
  public SampleCursor openCursor(int shard) {
    return openCursor(shard, Integer.MAX_VALUE);
  }

  @Override
  public SampleCursor openCursor(int shard, int fidelity) {
    if (fidelity < 1) {
      throw new IllegalArgumentException("fidelity " + fidelity);
    }
    return new PcrCursor(opened().get(shard), fidelity);
  }

  @Override
  public int groups() {
    return Math.max(1, opened().stream().mapToInt(r -> r.entry().groups()).max().orElse(1));
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }
}
