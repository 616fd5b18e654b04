package io.headrace.interop.table;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset.SampleCursor;
import io.headrace.format.Dataset.SampleReader;
import io.headrace.format.Sample;
import io.headrace.format.shard.ShardStarts;
import java.io.IOException;

/// Reads rows that each can be read by itself: by number, or one after the other.
public abstract class Rows implements SampleReader, SampleCursor {
  private final long[] starts;
  private long next;
  private long bytesRead;

  /// @param starts number of the first row of each file, and after them the total
  protected Rows(long[] starts) {
    this.starts = starts.clone();
  }

  /// Fills `into` with a row, with its key and place first.
  ///
  /// @param file its number
  /// @param row of the file, from 0
  protected abstract void read(int file, long row, Sample into) throws DecodeException, IOException;

  /// Counts bytes that were read.
  protected final void count(long bytes) {
    bytesRead += bytes;
  }

  @Override
  public final void read(long index, Sample into) throws IOException {
    int file = ShardStarts.shardOf(starts, index);
    long before = bytesRead;
    try {
      read(file, index - starts[file], into);
    } catch (DecodeException e) {
      throw CorruptDataException.at(into.location(), e);
    }
    into.storedBytes(bytesRead - before);
  }

  @Override
  public final boolean next(Sample into) throws IOException {
    if (next >= starts[starts.length - 1]) {
      return false;
    }
    read(next++, into);
    return true;
  }

  /// {@return yes: where a row lies does not depend on the one before}
  @Override
  public final boolean resumable() {
    return true;
  }

  @Override
  public final long bytesRead() {
    return bytesRead;
  }

  @Override
  public abstract void close();
}
