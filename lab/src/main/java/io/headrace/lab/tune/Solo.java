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
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// What one thread needs for a sample, nothing else running.
///
/// @param readSeconds to get its encoded bytes, in page cache, decompression included
/// @param decodeSeconds to decode it
/// @param transformSeconds to crop, resize and pack it
record Solo(double readSeconds, double decodeSeconds, double transformSeconds) {
  /// Goes through a dataset once, in stored order.
  static Solo of(Dataset dataset, Pipeline pipeline, LoadOptions options, long epoch)
      throws IOException {
    var budget = new MemoryBudget(options.memory());
    long read = 0;
    long samples = 0;
    try (var processor = new SampleProcessor(pipeline, budget, options.processing());
        var sample = new Sample(new Block(budget));
        Arena arena = Arena.ofConfined()) {
      MemorySegment slot = arena.allocate(pipeline.outputSpec().bytes(), 64);
      for (int shard = 0; shard < dataset.shards().size(); shard++) {
        try (Dataset.SampleCursor cursor = dataset.openCursor(shard)) {
          boolean more = true;
          while (more) {
            long start = System.nanoTime();
            try {
              more = cursor.next(sample);
              if (more) {
                read += System.nanoTime() - start;
                processor.process(
                    sample.encoded(), sample.tiles(), options.seed(), epoch, sample.id(), slot);
                samples++;
              }
            } catch (CorruptDataException | DecodeException e) {
              more = !(e instanceof CorruptDataException) || cursor.resumable();
            }
          }
        }
      }
      if (samples == 0) {
        throw new IOException(dataset.root() + ": not one sample can be decoded");
      }
      return new Solo(
          read / 1e9 / samples,
          processor.decodeNanos() / 1e9 / samples,
          processor.transformNanos() / 1e9 / samples);
    }
  }
}
