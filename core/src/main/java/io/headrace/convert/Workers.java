package io.headrace.convert;

import io.headrace.convert.encode.Made;
import io.headrace.convert.encode.Transformer;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Fault;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.SampleMeta;
import io.headrace.format.SamplePacker;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The threads that read, transform and pack the samples of a conversion, and the queue that they
/// take them from.
final class Workers implements AutoCloseable {
  private final Dataset source;
  private final ConvertOptions options;
  private final Container container;
  private final long count;
  private final Map<Long, String> unwritable;
  private final String done;
  private final List<String> classes;
  private final List<Thread> threads = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private final BlockingQueue<Job> queue;
  private final Job poison;
  private final MemoryBudget budget;
  private final int ahead;

  /// @param count samples in all
  /// @param unwritable why samples cannot be written, by their numbers
  /// @param done steps that were done to the samples
  /// @param writers of shards that work at one time
  Workers(
      Dataset source,
      ConvertOptions options,
      Container container,
      long count,
      Map<Long, String> unwritable,
      String done,
      int writers) {
    this.source = source;
    this.options = options;
    this.container = container;
    this.count = count;
    this.unwritable = unwritable;
    this.done = done;
    classes = source.classes();
    ahead = 2 + 2 * options.threads() / writers;
    budget = new MemoryBudget(options.memory());
    queue = new ArrayBlockingQueue<>(writers * ahead + options.threads());
    poison = new Job(budget);
    jobs.add(poison);
    for (int i = 0; i < options.threads(); i++) {
      threads.add(Thread.ofPlatform().name("convert-" + i).daemon().start(this::run));
    }
  }

  /// Reads, transforms and packs samples, one job at a time.
  private void run() {
    Throwable cause = null;
    try (var transformer = options.transformer(count, budget, done);
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
      Made made = transformer.transform(job.sample, job.position);
      SampleMeta meta = transformer.meta(job.sample, classes);
      MemorySegment encoded = transformer.result();
      long bytes = packer.pack(meta, encoded, job.sample, job.record);
      job.packed(new Job.Packed(made, meta, encoded.byteSize(), bytes));
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

  /// {@return a writer of shards whose samples these workers make}
  ShardTask newTask(SourceOrder order, Progress progress) {
    List<Job> ring = Stream.generate(() -> new Job(budget)).limit(ahead).toList();
    jobs.addAll(ring);
    return new ShardTask(options, container, order, queue, ring, progress);
  }

  /// Ends the threads when they have done what is in the queue, also if this one is interrupted
  /// meanwhile. Writers of shards must have ended before.
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    int told = 0;
    int ended = 0;
    while (ended < threads.size()) {
      try {
        for (; told < threads.size(); told++) {
          queue.put(poison);
        }
        threads.get(ended).join();
        ended++;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    jobs.forEach(Job::close);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
