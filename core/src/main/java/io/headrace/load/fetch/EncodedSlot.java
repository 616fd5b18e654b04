package io.headrace.load.fetch;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Sample;
import org.jspecify.annotations.Nullable;

/// One place in the read-ahead pool: a sample's bytes, its position in the epoch, or the fault
/// that stands in for it.
public final class EncodedSlot {
  public final Sample sample;
  public long position;
  public @Nullable CorruptDataException fault;

  EncodedSlot(Sample sample) {
    this.sample = sample;
  }
}
