package io.headrace.load.fetch;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Sample;
import org.jspecify.annotations.Nullable;

/// One place in the read-ahead pool: a sample's bytes, its position in the stream and the epoch
/// that this belongs to, or the fault that stands in for it.
public final class EncodedSlot {
  public final Sample sample;
  public long position;
  public Pass pass;
  public @Nullable CorruptDataException fault;

  /// @param pass that is read first
  EncodedSlot(Sample sample, Pass pass) {
    this.sample = sample;
    this.pass = pass;
  }
}
