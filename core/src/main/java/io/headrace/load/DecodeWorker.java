package io.headrace.load;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.memory.BatchBuffer;
import io.headrace.memory.MemoryBudget;
import io.headrace.meter.Meters;
import io.headrace.meter.Stage;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import java.util.zip.CRC32C;

/// One thread, one decoder: takes encoded samples and fills their slots.
final class DecodeWorker implements Runnable {
  private final Supply supply;
  private final Assembly assembly;
  private final Pipeline pipeline;
  private final LoadOptions options;
  private final MemoryBudget budget;
  private final Meters meters;
  private final long epoch;
  private final CRC32C crc = new CRC32C();

  DecodeWorker(
      Supply supply,
      Assembly assembly,
      Pipeline pipeline,
      LoadOptions options,
      MemoryBudget budget,
      Meters meters,
      long epoch) {
    this.supply = supply;
    this.assembly = assembly;
    this.pipeline = pipeline;
    this.options = options;
    this.budget = budget;
    this.meters = meters;
    this.epoch = epoch;
  }

  @Override
  public void run() {
    try (var processor = new SampleProcessor(pipeline, budget, options.processing())) {
      while (true) {
        long start = System.nanoTime();
        meters.queued(supply.queue.size());
        Fetched fetched = supply.queue.take();
        meters.add(Stage.STARVE, System.nanoTime() - start, 0, 0);
        if (fetched == null) {
          return;
        }
        Assembly.Part part = assembly.partOf(fetched.position);
        fill(processor, fetched, part);
        supply.free.put(fetched);
        assembly.slotDone(part);
      }
    } catch (RuntimeException | Error e) {
      assembly.fail(e);
    }
  }

  private void fill(SampleProcessor processor, Fetched fetched, Assembly.Part part) {
    int slot = assembly.slotOf(fetched.position);
    CorruptDataException fault = fetched.fault;
    part.buffer.describe(slot, fetched.sample.label(), fetched.sample.id(), 0);
    if (fault != null) {
      part.faults[slot] = fault;
      return;
    }
    long decoded = processor.decodeNanos();
    long transformed = processor.transformNanos();
    BatchBuffer buffer = part.buffer;
    var pixels = buffer.slot(slot);
    long id = fetched.sample.id();
    try {
      processor.process(
          fetched.sample.encoded(), fetched.sample.tiles(), options.seed(), epoch, id, pixels);
      long hash = 0;
      if (options.digest()) {
        crc.reset();
        crc.update(pixels.asByteBuffer());
        hash = crc.getValue();
      }
      buffer.describe(slot, fetched.sample.label(), id, hash);
      meters.add(Stage.DECODE, processor.decodeNanos() - decoded, 1, fetched.sample.encodedBytes());
      meters.add(Stage.TRANSFORM, processor.transformNanos() - transformed, 1, pixels.byteSize());
    } catch (DecodeException e) {
      part.faults[slot] = CorruptDataException.at(fetched.sample.location(), e);
    }
  }
}
