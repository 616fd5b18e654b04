package io.headrace.format.race;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.LevelChoice;
import io.headrace.format.Sample;
import io.headrace.format.shard.ShardStarts;
import io.headrace.store.Gather;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads single samples: one read of the file for each group, or for those of several
/// samples that are expected and lie together.
final class RaceReader implements SampleReader {
  private final List<RaceShard> shards;
  private final long[] starts;
  private final Arena arena = Arena.ofShared();
  private final @Nullable SampleFiller[] fillers;
  private @Nullable Gather gather;

  /// @param starts number of the first sample of each shard, and after them the total
  RaceReader(List<RaceShard> shards, long[] starts) {
    this.shards = shards;
    this.starts = starts;
    fillers = new SampleFiller[shards.size()];
  }

  @Override
  public boolean expect(
      long[] samples, int[] fidelities, int count, @Nullable LevelChoice choice, Gather pieces) {
    gather = pieces;
    for (int i = 0; i < count; i++) {
      int s = ShardStarts.shardOf(starts, samples[i]);
      RaceIndex index = shards.get(s).indexOrNull();
      if (index != null) {
        SampleFiller.want(index, (int) (samples[i] - starts[s]), fidelities[i], choice, pieces, s);
      }
    }
    return true;
  }

  @Override
  public void describe(long index, Sample into) throws IOException {
    int s = ShardStarts.shardOf(starts, index);
    RaceIndex known = shards.get(s).indexOrNull();
    if (known == null) {
      read(index, into);
      return;
    }
    int sample = (int) (index - starts[s]);
    into.place(shards.get(s).path().toString(), sample, -1);
    into.key(new String(known.key(sample).toArray(JAVA_BYTE), UTF_8));
    into.label(known.label(sample));
  }

  @Override
  public void read(long index, Sample into) throws IOException {
    read(index, Integer.MAX_VALUE, into);
  }

  @Override
  public void read(long index, int fidelity, Sample into) throws IOException {
    read(index, fidelity, null, into);
  }

  @Override
  public void read(long index, int fidelity, @Nullable LevelChoice choice, Sample into)
      throws IOException {
    int s = ShardStarts.shardOf(starts, index);
    long sample = index - starts[s];
    into.place(shards.get(s).path().toString(), sample, -1);
    fillerOf(s).fill((int) sample, fidelity, choice, into);
  }

  @Override
  public boolean extend(long index, int fidelity, Sample into) throws IOException {
    int s = ShardStarts.shardOf(starts, index);
    return fillerOf(s).extend((int) (index - starts[s]), fidelity, into);
  }

  private SampleFiller fillerOf(int s) throws IOException {
    SampleFiller filler = fillers[s];
    if (filler == null) {
      filler = new SampleFiller(shards.get(s), 0, arena);
      fillers[s] = filler;
    }
    filler.gather(gather, s);
    return filler;
  }

  @Override
  public void close() {
    if (!arena.scope().isAlive()) {
      return;
    }
    for (SampleFiller filler : fillers) {
      if (filler != null) {
        filler.close();
      }
    }
    arena.close();
  }
}
