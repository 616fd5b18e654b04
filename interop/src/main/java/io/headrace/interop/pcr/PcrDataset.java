package io.headrace.interop.pcr;

import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.store.Fanout;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Progressive Compressed Records: each record file is a shard, each scan group a fidelity.
///
/// Images keep their bytes at full fidelity where Headrace wrote the records; others end with an
/// end marker after the last scan. A record whose metadata cannot be read counts as one sample, and
/// reading it throws the fault. So it cannot go unnoticed.
public final class PcrDataset implements Dataset {
  private final Path root;
  private final @Nullable Manifest manifest;
  private final List<RecordFile> records;
  private final List<String> warnings;
  private long @Nullable [] starts;

  private PcrDataset(
      Path root, @Nullable Manifest manifest, List<RecordFile> records, List<String> warnings) {
    this.root = root;
    this.manifest = manifest;
    this.records = List.copyOf(records);
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
  public Path root() {
    return root;
  }

  @Override
  public List<String> classes() {
    return manifest == null ? List.of() : manifest.classes();
  }

  @Override
  public long size() {
    return manifest == null ? starts()[records.size()] : manifest.samples();
  }

  @Override
  public boolean indexed() {
    return true;
  }

  @Override
  public SampleReader openReader() throws IOException {
    try {
      return new PcrReader(records, starts());
    } catch (UncheckedIOException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  /// {@return number of the first image of each record, and after them the total}
  private synchronized long[] starts() {
    long[] s = starts;
    if (s == null) {
      try {
        Fanout.each(
            records,
            record -> {
              long _ = record.count();
            });
      } catch (IOException e) {
        throw new UncheckedIOException(e); // interrupted: a record keeps its own faults
      }
      s = new long[records.size() + 1];
      for (int i = 0; i < records.size(); i++) {
        s[i + 1] = s[i] + records.get(i).count();
      }
      starts = s;
    }
    return s;
  }

  @Override
  public List<Path> shards() {
    return records.stream().map(RecordFile::path).toList();
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
    return new PcrCursor(records.get(shard), fidelity);
  }

  @Override
  public int groups() {
    return Math.max(1, records.stream().mapToInt(r -> r.entry().groups()).max().orElse(1));
  }

  @Override
  public long storedBytes() throws IOException {
    long sum = 0;
    for (RecordFile record : records) {
      sum += Files.size(record.path());
    }
    return sum;
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
  public List<String> warnings() {
    return warnings;
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (RecordFile record : records) {
      try {
        record.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
