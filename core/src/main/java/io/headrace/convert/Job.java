package io.headrace.convert;

import io.headrace.convert.encode.Made;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Sample;
import io.headrace.format.SampleMeta;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One sample on its way from source to record: filled by a worker, awaited by the shard's writer.
final class Job implements AutoCloseable {
  final Sample sample;
  final Block record;
  long index;
  long position;
  boolean filled;
  @Nullable CorruptDataException fault;
  private @Nullable Throwable failure;
  private @Nullable Packed packed;
  private boolean done;

  /// What is there once a sample is packed.
  ///
  /// @param encodedBytes bytes of the image or sound
  /// @param recordBytes bytes of the record
  record Packed(Made made, SampleMeta meta, long encodedBytes, long recordBytes) {}

  Job(MemoryBudget budget) {
    sample = new Sample(new Block(budget));
    record = new Block(budget);
  }

  /// Starts on sample `index` of the source.
  ///
  /// @param position where it stands in the order of the target
  /// @param filled whether its bytes are read already
  void begin(long index, long position, boolean filled) {
    this.index = index;
    this.position = position;
    this.filled = filled;
    fault = null;
    failure = null;
    packed = null;
    done = false;
  }

  synchronized void finish(@Nullable Throwable failure) {
    this.failure = failure;
    done = true;
    notifyAll();
  }

  /// Waits for the worker.
  synchronized void awaitDone() throws InterruptedException {
    while (!done) {
      wait();
    }
  }

  /// Waits for the worker.
  ///
  /// @throws IOException that it died of
  /// @throws IllegalStateException if it died of something unforeseen
  synchronized void await() throws IOException, InterruptedException {
    awaitDone();
    Throwable cause = failure;
    switch (cause) {
      case null -> {}
      case IOException e -> throw e;
      case ConfigException e -> throw e;
      default ->
          throw new IllegalStateException(
              "a conversion worker died at sample %d of the target".formatted(position), cause);
    }
  }

  /// Waits for the worker, whether it succeeds or not.
  synchronized void awaitQuietly() {
    boolean interrupted = false;
    while (!done) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /// Says that the record is there.
  void packed(Packed what) {
    packed = what;
  }

  /// {@return what is there of a sample that has no fault}
  Packed packed() {
    return Objects.requireNonNull(packed, "not packed");
  }

  MemorySegment bytes() {
    return record.memory().asSlice(0, packed().recordBytes());
  }

  @Override
  public void close() {
    sample.close();
    record.close();
  }
}
