package io.headrace.convert;

import io.headrace.convert.encode.Made;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.format.Sample;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A few samples of a dataset: spread evenly where it is indexed, else the first ones.
final class FewSamples implements Closeable {
  private final long count;
  private final int wanted;
  private final Dataset.@Nullable SampleReader reader;
  private final Dataset.@Nullable SampleCursor cursor;

  /// Takes what has become of a sample.
  @FunctionalInterface
  interface Taker {
    /// Takes one.
    ///
    /// @param made the sample's new form, valid during the call
    void take(MemorySegment made) throws IOException, DecodeException;
  }

  private FewSamples(Dataset source, long count, int wanted) throws IOException {
    this.count = count;
    this.wanted = wanted;
    reader = source.indexed() ? source.openReader() : null;
    cursor = source.indexed() || source.shards().isEmpty() ? null : source.openCursor(0);
  }

  /// Converts a few samples. Damaged ones are left out.
  ///
  /// @param most how many at most
  /// @return how many were taken
  static int each(Dataset source, ConvertOptions options, long count, int most, Taker taker)
      throws IOException {
    int wanted = (int) Math.min(most, count);
    int taken = 0;
    var budget = new MemoryBudget(options.memory());
    try (var transformer = options.transformer(count, budget, Manifest.stepsOf(source));
        var sample = new Sample(new Block(budget));
        var reader = new FewSamples(source, count, wanted)) {
      for (int i = 0; i < wanted; i++) {
        try {
          if (reader.read(i, sample)) {
            Made _ = transformer.transform(sample, count * i / wanted);
            taker.take(transformer.result());
            taken++;
          }
        } catch (CorruptDataException | DecodeException e) {
          // the conversion itself says what is wrong
        }
      }
    }
    return taken;
  }

  /// Fills `into` with the `i`th of them.
  ///
  /// @return false if there are no more
  private boolean read(int i, Sample into) throws IOException {
    if (reader != null) {
      reader.read(count * i / wanted, into);
      return true;
    }
    return cursor != null && cursor.next(into);
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
    if (cursor != null) {
      cursor.close();
    }
  }
}
