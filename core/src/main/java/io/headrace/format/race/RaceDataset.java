package io.headrace.format.race;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.format.SampleIds;
import io.headrace.format.SetDigest;
import io.headrace.format.ShardStarts;
import io.headrace.store.Fanout;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Samples in race shards: always indexed, with as many fidelity groups as the shards have.
///
/// The indexes are held in memory, at 24 bytes and 8 a group for each sample, and its key.
public final class RaceDataset implements Dataset {
  private final Path root;
  private final @Nullable Manifest manifest;
  private final List<RaceShard> shards;
  private final long[] starts;
  private final int groups;

  private RaceDataset(Path root, @Nullable Manifest manifest, List<RaceShard> shards) {
    this.root = root;
    this.manifest = manifest;
    this.shards = shards;
    starts = new long[shards.size() + 1];
    int most = 1;
    for (int i = 0; i < shards.size(); i++) {
      starts[i + 1] = starts[i] + shards.get(i).samples();
      RaceIndex index = shards.get(i).indexOrNull();
      most = index == null ? most : Math.max(most, index.groups());
    }
    groups = most;
  }

  /// Opens shards.
  ///
  /// @param root to call the dataset by
  /// @param manifest that names the shards, or null
  /// @param files the shards in stored order; those of the manifest if there is one
  /// @throws NoSuchFileException if one is missing
  static RaceDataset open(Path root, @Nullable Manifest manifest, List<Path> files, Store store)
      throws IOException {
    if (files.isEmpty()) {
      throw new ConfigException("no race shards in " + root);
    }
    Arena arena = Arena.ofAuto(); // indexes live as long as a reader, which may outlive the dataset
    var opened = new @Nullable RaceShard[files.size()];
    try {
      Fanout.each(
          IntStream.range(0, opened.length).boxed().toList(),
          i -> {
            Manifest.@Nullable Shard entry = manifest == null ? null : manifest.shards().get(i);
            opened[i] =
                RaceShard.open(
                    files.get(i),
                    store,
                    entry == null ? -1 : entry.samples(),
                    entry == null ? -1 : entry.bytes(),
                    arena);
          });
      List<RaceShard> shards = new ArrayList<>();
      for (RaceShard shard : opened) {
        if (shard != null) {
          shards.add(shard);
        }
      }
      return new RaceDataset(root, manifest, List.copyOf(shards));
    } catch (IOException | RuntimeException e) {
      for (RaceShard shard : opened) {
        if (shard != null) {
          shard.close();
        }
      }
      throw e;
    }
  }

  /// Opens the shards that a manifest names.
  static RaceDataset open(Path folder, Manifest manifest, Store store) throws IOException {
    List<Path> files = manifest.files(folder);
    return open(folder, manifest, files, store);
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
    return starts[shards.size()];
  }

  @Override
  public boolean indexed() {
    return true;
  }

  @Override
  public int groups() {
    return groups;
  }

  @Override
  public int kindOf(long index) {
    int s = ShardStarts.shardOf(starts, index);
    RaceIndex read = shards.get(s).indexOrNull();
    return read == null ? RaceEncoding.OTHER : read.encoding((int) (index - starts[s]));
  }

  /// {@return bytes that reading the whole dataset at a fidelity takes, without the indexes}
  ///
  /// @param fidelity groups to read, at least 1
  public long groupBytes(int fidelity) {
    long sum = 0;
    for (RaceShard shard : shards) {
      RaceIndex index = shard.indexOrNull();
      for (int group = 0; index != null && group < Math.min(fidelity, index.groups()); group++) {
        sum += index.section(group).bytes();
      }
    }
    return sum;
  }

  @Override
  public SampleReader openReader() {
    return new RaceReader(shards, starts);
  }

  @Override
  public List<Path> shards() {
    return shards.stream().map(RaceShard::path).toList();
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    return openCursor(shard, Integer.MAX_VALUE);
  }

  @Override
  public SampleCursor openCursor(int shard, int fidelity) throws CorruptDataException {
    return new RaceCursor(shards.get(shard), fidelity);
  }

  @Override
  public long storedBytes() {
    return shards.stream().mapToLong(s -> s.file().size()).sum();
  }

  @Override
  public String setDigest() {
    if (manifest != null) {
      return manifest.setDigest();
    }
    SetDigest set = digest();
    return set == null ? "" : set.hex();
  }

  @Override
  public String labelDigest() {
    if (manifest != null && !manifest.labelDigest().isEmpty()) {
      return manifest.labelDigest();
    }
    SetDigest set = digest();
    return set == null ? "" : set.labelHex();
  }

  private @Nullable SetDigest digest() {
    var set = new SetDigest();
    for (RaceShard shard : shards) {
      RaceIndex index = shard.indexOrNull();
      if (index == null) {
        return null;
      }
      for (int i = 0; i < index.samples(); i++) {
        set.add(SampleIds.of(index.key(i)), index.label(i));
      }
    }
    return set;
  }

  @Override
  public Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    long all = groupBytes(groups);
    List<String> sizes = new ArrayList<>();
    for (int fidelity = 1; fidelity <= groups; fidelity++) {
      long bytes = groupBytes(fidelity);
      sizes.add(
          String.format(
              Locale.ROOT, "%d: %,d bytes (%.1f %%)", fidelity, bytes, 100.0 * bytes / all));
    }
    details.put("fidelity", String.join(", ", sizes));
    long tiled = 0;
    long levels = 0;
    long index = 0;
    Set<String> compressions = new TreeSet<>();
    for (RaceShard shard : shards) {
      RaceIndex read = shard.indexOrNull();
      if (read != null) {
        for (int i = 0; i < read.samples(); i++) {
          tiled += (read.flags(i) & Blob.TILED) != 0 ? 1 : 0;
          levels += (read.flags(i) & Blob.LEVELS) != 0 ? 1 : 0;
        }
        index += shard.file().size() - read.section(read.groups() - 1).end();
        compressions.add(read.compression().label());
      }
    }
    details.put("blobs", String.join(", ", compressions));
    details.put("tiled", "%d, with smaller levels %d".formatted(tiled, levels));
    details.put(
        "index", String.format(Locale.ROOT, "%.1f bytes a sample", (double) index / size()));
    return details;
  }

  @Override
  public long find(String key) {
    MemorySegment wanted = MemorySegment.ofArray(key.getBytes(StandardCharsets.UTF_8));
    for (int s = 0; s < shards.size(); s++) {
      RaceIndex index = shards.get(s).indexOrNull();
      for (int i = 0; index != null && i < index.samples(); i++) {
        if (index.key(i).mismatch(wanted) < 0) {
          return starts[s] + i;
        }
      }
    }
    return -1;
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (RaceShard shard : shards) {
      RaceIndex index = shard.indexOrNull();
      if (index != null && index.samples() == 0) {
        warnings.add(shard.path() + " is empty: no samples");
      }
    }
    return warnings;
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (RaceShard shard : shards) {
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
