package io.headrace.convert.inspect;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import java.io.IOException;
import java.util.function.Consumer;

/// Goes through the samples of a shard, past those that are bad.
final class EachSample {
  private EachSample() {}

  /// What is done with a sample.
  @FunctionalInterface
  interface Taker {
    void take(Sample sample) throws DecodeException;
  }

  /// Hands every sample of a shard to `taker`, in stored order.
  ///
  /// @param fidelity groups to read, at least 1
  /// @param sample is filled with one after the other
  /// @param faults takes what cannot be read, or what the taker threw, as `place: fault: reason`
  static void of(
      Dataset dataset, int shard, int fidelity, Sample sample, Taker taker, Consumer<String> faults)
      throws IOException {
    try (Dataset.SampleCursor cursor = dataset.openCursor(shard, fidelity)) {
      boolean more = true;
      while (more) {
        try {
          more = cursor.next(sample);
          if (more) {
            taker.take(sample);
          }
        } catch (CorruptDataException e) {
          faults.accept(e.where() + ": " + e.fault() + ": " + e.reason());
          more = cursor.resumable();
        } catch (DecodeException e) {
          faults.accept(sample.location() + ": " + e.fault() + ": " + e.getMessage());
        }
      }
    } catch (CorruptDataException e) {
      faults.accept(e.where() + ": " + e.fault() + ": " + e.reason());
    }
  }
}
