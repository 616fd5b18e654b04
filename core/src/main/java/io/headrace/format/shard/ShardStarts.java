package io.headrace.format.shard;

import java.util.Arrays;
import java.util.Objects;

/// Which shard a sample lies in.
public final class ShardStarts {
  private ShardStarts() {}

  /// {@return the shard that holds a sample}
  ///
  /// @param starts number of the first sample of each shard, and after them the total
  /// @param index of the sample in the whole dataset, from 0
  /// @throws IndexOutOfBoundsException if there is no such sample
  public static int shardOf(long[] starts, long index) {
    long checked = Objects.checkIndex(index, starts[starts.length - 1]);
    int found = Arrays.binarySearch(starts, checked);
    int shard = found >= 0 ? found : -found - 2;
    while (starts[shard + 1] == checked) {
      shard++; // empty shards share their start with the next
    }
    return shard;
  }
}
