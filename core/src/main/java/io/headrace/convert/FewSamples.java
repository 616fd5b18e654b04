package io.headrace.convert;

import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A few samples of a dataset: spread evenly where it is indexed, else the first ones.
final class FewSamples implements Closeable {
  private final long count;
  private final int wanted;
  private final Dataset.@Nullable SampleReader reader;
  private final Dataset.@Nullable SampleCursor cursor;

  FewSamples(Dataset source, long count, int wanted) throws IOException {
    this.count = count;
    this.wanted = wanted;
    reader = source.indexed() ? source.openReader() : null;
    cursor = source.indexed() || source.shards().isEmpty() ? null : source.openCursor(0);
  }

  /// Fills `into` with the `i`th of them.
  ///
  /// @return false if there are no more
  boolean read(int i, Sample into) throws IOException {
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
