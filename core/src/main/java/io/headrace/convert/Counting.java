package io.headrace.convert;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;

/// Counts the samples of a dataset that does not know how many it has, by reading it.
final class Counting {
  private Counting() {}

  static long samples(Dataset source) throws IOException {
    long known = source.size();
    if (known >= 0) {
      return known;
    }
    long count = 0;
    for (int shard = 0; shard < source.shards().size(); shard++) {
      count += samples(source, shard);
    }
    return count;
  }

  /// {@return samples in one shard}
  static long samples(Dataset source, int shard) throws IOException {
    long count = 0;
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()));
        Dataset.SampleCursor cursor = source.openCursor(shard)) {
      boolean more = true;
      while (more) {
        try {
          more = cursor.next(sample);
          count += more ? 1 : 0;
        } catch (CorruptDataException e) {
          count++; // a bad sample is still a sample
          more = cursor.resumable();
        }
      }
    }
    return count;
  }
}
