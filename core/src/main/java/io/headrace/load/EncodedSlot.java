package io.headrace.load;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Sample;
import org.jspecify.annotations.Nullable;

/// One place in the read-ahead pool: a sample's bytes, its position in the epoch, or the fault
/// that stands in for it.
final class EncodedSlot {
  final Sample sample;
  long position;
  @Nullable CorruptDataException fault;

  EncodedSlot(Sample sample) {
    this.sample = sample;
  }
}
