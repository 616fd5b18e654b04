package io.headrace.convert.inspect;

import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Takes single samples out of a dataset, as files that any viewer reads.
public final class Extractor {
  private Extractor() {}

  /// Takes one sample.
  ///
  /// @param <T> type of the result
  @FunctionalInterface
  public interface Taker<T> {
    /// {@return the result for a sample}
    ///
    /// @param image its encoded bytes, valid during the call; a padded grid of tiles is cut to the
    ///     image, and a packed JPEG is a JPEG again
    T take(Sample sample, MemorySegment image) throws IOException;
  }

  /// {@return what `taker` makes of a sample}
  ///
  /// @param index number of the sample in stored order, from 0
  /// @param fidelity groups to read of it, at least 1
  /// @throws ConfigException if there is no such sample
  /// @throws CorruptDataException if it cannot be had
  public static <T> T extract(Dataset dataset, long index, int fidelity, Taker<T> taker)
      throws IOException {
    if (index < 0 || fidelity < 1) {
      throw new ConfigException(
          "sample %d at fidelity %d: expected at least 0 and 1".formatted(index, fidelity));
    }
    try (var sample = new Sample(new Block(MemoryBudget.unbounded()));
        var plain = new PlainImage(MemoryBudget.unbounded())) {
      read(dataset, index, fidelity, sample);
      try {
        return taker.take(sample, plain.of(sample));
      } catch (DecodeException e) {
        throw CorruptDataException.at(sample.location(), e);
      }
    }
  }

  private static void read(Dataset dataset, long index, int fidelity, Sample sample)
      throws IOException {
    if (dataset.indexed()) {
      if (index >= dataset.size()) {
        throw none(index, dataset.size());
      }
      try (Dataset.SampleReader reader = dataset.openReader()) {
        reader.read(index, fidelity, sample);
      }
      return;
    }
    long seen = 0;
    for (int shard = 0; shard < dataset.shards().size(); shard++) {
      try (Dataset.SampleCursor cursor = dataset.openCursor(shard, fidelity)) {
        while (cursor.next(sample)) {
          if (seen++ == index) {
            return;
          }
        }
      }
    }
    throw none(index, seen);
  }

  private static ConfigException none(long index, long count) {
    return new ConfigException("there is no sample %d: there are %d".formatted(index, count));
  }
}
