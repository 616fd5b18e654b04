package io.headrace.format.race;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Manifest;
import io.headrace.format.SampleIds;
import io.headrace.format.SetDigest;
import io.headrace.format.shard.ShardSet;
import io.headrace.format.shard.ShardStarts;
import io.headrace.format.shard.ShardedDataset;
import io.headrace.store.Store;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Samples in race shards: always indexed, with as many fidelity groups as the shards have.
///
/// The indexes are held in memory, at 24 bytes and 8 a group for each sample, and its key.
public final class RaceDataset extends ShardedDataset<RaceShard> {
  private final int groups;

  private RaceDataset(ShardSet set, List<RaceShard> shards) {
    super(set.root(), set.manifest(), shards);
    int most = 1;
    for (RaceShard shard : opened()) {
      RaceIndex index = shard.indexOrNull();
      most = index == null ? most : Math.max(most, index.groups());
    }
    groups = most;
  }

  static RaceDataset open(ShardSet set, Store store) throws IOException {
    if (set.files().isEmpty()) {
      throw new ConfigException("no race shards in " + set.root());
    }
    Arena arena = Arena.ofAuto(); // indexes live as long as a reader, which may outlive the dataset
    Manifest manifest = set.manifest();
    return new RaceDataset(
        set,
        set.open(
            (file, i, declared) ->
                RaceShard.open(
                    file,
                    store,
                    declared,
                    manifest == null ? -1 : manifest.shards().get(i).bytes(),
                    arena)));
  }

  /// {@return samples in all shards, counting those that stand for what cannot be read}
  @Override
  public long size() {
    return total();
  }

  @Override
  public int groups() {
    return groups;
  }

  @Override
  public int kindOf(long index) {
    long[] starts = starts();
    int s = ShardStarts.shardOf(starts, index);
    RaceIndex read = opened().get(s).indexOrNull();
    return read == null ? RaceEncoding.OTHER : read.encoding((int) (index - starts[s]));
  }

  /// {@return bytes that reading the whole dataset at a fidelity takes, without the indexes}
  ///
  /// @param fidelity groups to read, at least 1
  public long groupBytes(int fidelity) {
    long sum = 0;
    for (RaceShard shard : opened()) {
      RaceIndex index = shard.indexOrNull();
      for (int group = 0; index != null && group < Math.min(fidelity, index.groups()); group++) {
        sum += index.section(group).bytes();
      }
    }
    return sum;
  }

  @Override
  protected SampleReader newReader(long[] starts) {
    return new RaceReader(opened(), starts);
  }

  @Override
  public SampleCursor openCursor(int shard) throws IOException {
    return openCursor(shard, Integer.MAX_VALUE);
  }

  @Override
  public SampleCursor openCursor(int shard, int fidelity) throws CorruptDataException {
    return new RaceCursor(opened().get(shard), fidelity);
  }

  @Override
  public String setDigest() {
    if (manifest() != null) {
      return super.setDigest();
    }
    SetDigest set = digest();
    return set == null ? "" : set.hex();
  }

  @Override
  public String labelDigest() {
    String said = super.labelDigest();
    SetDigest set = said.isEmpty() ? digest() : null;
    return set == null ? said : set.labelHex();
  }

  private @Nullable SetDigest digest() {
    var set = new SetDigest();
    for (RaceShard shard : opened()) {
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
    for (RaceShard shard : opened()) {
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
    for (int s = 0; s < opened().size(); s++) {
      RaceIndex index = opened().get(s).indexOrNull();
      for (int i = 0; index != null && i < index.samples(); i++) {
        if (index.key(i).mismatch(wanted) < 0) {
          return starts()[s] + i;
        }
      }
    }
    return -1;
  }

  @Override
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (RaceShard shard : opened()) {
      RaceIndex index = shard.indexOrNull();
      if (index != null && index.samples() == 0) {
        warnings.add(shard.path() + " is empty: no samples");
      }
    }
    return warnings;
  }
}
