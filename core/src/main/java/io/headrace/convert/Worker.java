package io.headrace.convert;

import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// One thread that reads, transforms and packs samples, one job at a time.
final class Worker implements Runnable {
  private final Dataset source;
  private final ConvertOptions options;
  private final Container container;
  private final long count;
  private final MemoryBudget budget;
  private final BlockingQueue<Job> queue;
  private final Job poison;
  private final List<String> classes;
  private final Map<Long, String> unwritable;
  private final String done;

  /// @param count samples in all
  /// @param unwritable why samples cannot be written, by their numbers
  /// @param done steps that were done to the samples
  Worker(
      Dataset source,
      ConvertOptions options,
      Container container,
      long count,
      MemoryBudget budget,
      BlockingQueue<Job> queue,
      Job poison,
      Map<Long, String> unwritable,
      String done) {
    this.source = source;
    this.options = options;
    this.container = container;
    this.count = count;
    this.budget = budget;
    this.queue = queue;
    this.poison = poison;
    this.unwritable = unwritable;
    this.done = done;
    classes = source.classes();
  }

  @Override
  public void run() {
    Throwable cause = null;
    try (var transformer = new Transformer(options, count, budget, done);
        SamplePacker packer = container.newPacker();
        Dataset.@Nullable SampleReader reader = source.indexed() ? source.openReader() : null) {
      for (Job job = queue.take(); job != poison; job = queue.take()) {
        try {
          work(job, transformer, packer, reader);
          job.finish(null);
        } catch (RuntimeException | Error e) {
          job.finish(e);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      cause = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (cause != null) {
      drain(cause);
    }
  }

  /// A worker that cannot start fails every job it would have been given.
  private void drain(Throwable cause) {
    try {
      for (Job job = queue.take(); job != poison; job = queue.take()) {
        job.finish(cause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void work(
      Job job,
      Transformer transformer,
      SamplePacker packer,
      Dataset.@Nullable SampleReader reader) {
    if (job.fault != null) {
      return; // found while streaming
    }
    try {
      if (!job.filled && reader != null) {
        reader.read(job.index, job.sample);
      }
      String clash = unwritable.get(job.index);
      if (clash != null) {
        throw new DecodeException(Fault.DUPLICATE, clash);
      }
      job.outcome = transformer.transform(job.sample, job.position);
      job.orientationDropped = transformer.orientationDropped();
      job.alphaDropped = transformer.alphaDropped();
      job.depthReduced = transformer.depthReduced();
      job.trailingBytes = transformer.trailingBytes();
      job.packed = transformer.packed();
      job.exact = transformer.exact();
      job.passed = transformer.passed();
      job.likeness = transformer.likeness();
      job.encodedBytes = transformer.result().byteSize();
      SampleMeta meta = transformer.meta(job.sample, classes);
      job.meta(meta);
      job.recordBytes = packer.pack(meta, transformer.result(), job.sample, job.record);
    } catch (DecodeException e) {
      job.fault = CorruptDataException.at(job.sample.location(), e);
    } catch (CorruptDataException e) {
      job.fault = e;
    } catch (IOException e) {
      job.fault =
          new CorruptDataException(
              Fault.IO, String.valueOf(e.getMessage()), job.sample.location(), e);
    }
  }
}
