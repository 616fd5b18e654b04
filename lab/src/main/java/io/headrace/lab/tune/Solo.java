package io.headrace.lab.tune;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import io.headrace.pipeline.SoundProcessor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/// What one thread needs for a sample when nothing else runs.
///
/// @param readSeconds to get its encoded bytes, in page cache, decompression included
/// @param decodeSeconds to decode it
/// @param transformSeconds to crop, resize and pack it
record Solo(double readSeconds, double decodeSeconds, double transformSeconds) {
  /// Turns samples into slots of a batch, and sums how long that took.
  interface Work {
    void process(Sample sample) throws DecodeException;

    long decodeNanos();

    long transformNanos();
  }

  /// Goes through a dataset once, in stored order.
  static Solo of(Dataset dataset, Pipeline pipeline, LoadOptions options, long epoch)
      throws IOException {
    var budget = new MemoryBudget(options.memory());
    if (pipeline.input() == Pipeline.Input.SOUND) {
      return ofSounds(dataset, pipeline, options, budget, epoch);
    }
    try (var processor = new SampleProcessor(pipeline, budget, options.processing());
        Arena arena = Arena.ofConfined()) {
      MemorySegment slot = arena.allocate(pipeline.outputSpec().bytes(), 64);
      var work =
          new Work() {
            @Override
            public void process(Sample sample) throws DecodeException {
              processor.process(
                  sample.encoded(), sample.tiles(), options.seed(), epoch, sample.id(), slot);
            }

            @Override
            public long decodeNanos() {
              return processor.decodeNanos();
            }

            @Override
            public long transformNanos() {
              return processor.transformNanos();
            }
          };
      return of(dataset, work, budget, System::nanoTime);
    }
  }

  private static Solo ofSounds(
      Dataset dataset, Pipeline pipeline, LoadOptions options, MemoryBudget budget, long epoch)
      throws IOException {
    try (var processor = new SoundProcessor(pipeline, budget);
        Arena arena = Arena.ofConfined()) {
      MemorySegment slot = arena.allocate(pipeline.outputSpec().bytes(), 64);
      var work =
          new Work() {
            @Override
            public void process(Sample sample) throws DecodeException {
              processor.process(sample.encoded(), options.seed(), epoch, sample.id(), slot);
            }

            @Override
            public long decodeNanos() {
              return processor.decodeNanos();
            }

            @Override
            public long transformNanos() {
              return processor.transformNanos();
            }
          };
      return of(dataset, work, budget, System::nanoTime);
    }
  }

  /// @param clock in nanoseconds
  static Solo of(Dataset dataset, Work work, MemoryBudget budget, LongSupplier clock)
      throws IOException {
    long read = 0;
    long samples = 0;
    try (var sample = new Sample(new Block(budget))) {
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          boolean more = true;
          while (more) {
            long start = clock.getAsLong();
            try {
              more = cursor.next(sample);
              if (more) {
                long took = clock.getAsLong() - start;
                work.process(sample);
                read += took;
                samples++;
              }
            } catch (CorruptDataException | DecodeException e) {
              more = !(e instanceof CorruptDataException) || cursor.resumable();
            }
          }
        }
      }
    }
    if (samples == 0) {
      throw new IOException(dataset.root() + ": not one sample can be decoded");
    }
    return new Solo(
        read / 1e9 / samples,
        work.decodeNanos() / 1e9 / samples,
        work.transformNanos() / 1e9 / samples);
  }
}
