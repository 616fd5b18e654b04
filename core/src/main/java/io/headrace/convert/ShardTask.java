package io.headrace.convert;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Container;
import io.headrace.format.Container.ShardTarget;
import io.headrace.format.Sample;
import io.headrace.format.ShardWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/// Writes one shard after another: hands its samples to the workers, a few ahead, and writes the
/// records in order.
@SuppressWarnings("EnumOrdinal") // an index into a tally that is written out by name
final class ShardTask implements AutoCloseable {
  private final ConvertOptions options;
  private final Container container;
  private final SourceOrder order;
  private final BlockingQueue<Job> queue;
  private final Progress progress;
  private final List<Job> ring = new ArrayList<>();

  ShardTask(
      ConvertOptions options,
      Container container,
      SourceOrder order,
      Workers workers,
      Progress progress) {
    this.options = options;
    this.container = container;
    this.order = order;
    this.queue = workers.queue();
    this.progress = progress;
    for (int i = 0; i < workers.ahead(); i++) {
      ring.add(new Job(workers.budget()));
    }
  }

  /// Writes the samples at positions `from` to `to` (not included) of the order.
  ///
  /// @param shard its number
  /// @param part path of the file
  /// @param file takes all bytes; the caller closes it
  /// @throws CorruptDataException at the first bad sample in order, unless those are skipped
  ShardTally write(int shard, Path part, ShardFile file, long from, long to)
      throws IOException, InterruptedException {
    var tally = new ShardTally();
    long begun = from;
    long settled = from;
    try {
      var target = new ShardTarget(file, part, shard, options.shards());
      try (ShardWriter writer = container.newShard(target)) {
        while (settled < to) {
          while (begun < to && begun - settled < ring.size()) {
            Job job = jobAt(begun);
            if (!order.begin(job, begun)) {
              to = begun; // a stream that ended early
              break;
            }
            queue.put(job);
            begun++;
          }
          long until = Math.min(begun, settled + ring.size() / 2); // woken half as often
          if (settled < until) {
            jobAt(until - 1).awaitDone();
          }
          while (settled < until) {
            settle(jobAt(settled), writer, tally);
            settled++;
          }
        }
        writer.finish();
      }
      tally.fileBytes = file.bytes();
      tally.fileCrc = file.crc();
    } finally {
      while (settled < begun) { // a fault cut the shard short: the workers still hold jobs
        jobAt(settled++).awaitQuietly();
      }
    }
    return tally;
  }

  private Job jobAt(long position) {
    return ring.get((int) (position % ring.size()));
  }

  private void settle(Job job, ShardWriter writer, ShardTally tally)
      throws IOException, InterruptedException {
    job.await();
    CorruptDataException fault = job.fault;
    if (fault == null) {
      writer.write(job.meta(), job.bytes());
      tally.samples++;
      tally.set.add(job.sample.id(), job.sample.label());
      tally.encodedBytesIn += job.sample.encodedBytes();
      tally.encodedBytesOut += job.encodedBytes;
      tally.outcomes[job.outcome.ordinal()]++;
      tally.unlabelled += job.sample.label() == Sample.NO_LABEL ? 1 : 0;
      tally.listLabels += job.sample.labelField() >= 0 ? 1 : 0;
      boolean fields = job.sample.fields() > 0;
      tally.fieldsOfOldSize += fields && job.outcome == Outcome.RESIZED ? 1 : 0;
      tally.orientationsDropped += job.orientationDropped ? 1 : 0;
      tally.alphasDropped += job.alphaDropped ? 1 : 0;
      tally.depthsReduced += job.depthReduced ? 1 : 0;
      tally.packed += job.packed ? 1 : 0;
      tally.exact += job.exact ? 1 : 0;
      tally.trailersDropped += job.trailingBytes > 0 ? 1 : 0;
      tally.trailingBytesDropped += job.trailingBytes;
      if (job.likeness != null) {
        tally.add(job.likeness);
      }
      String passed = job.passed;
      if (passed != null) {
        tally.passed.add(new ShardTally.Skipped(job.sample.location().toString(), passed));
      }
      progress.add(1, job.sample.encodedBytes(), job.encodedBytes);
    } else if (options.skipBad() && fault.fault() != Fault.IO) {
      if (options.quarantine() != null) {
        Quarantine.keep(options.quarantine(), job.sample);
      }
      tally.skipped.add(
          new ShardTally.Skipped(fault.where().toString(), fault.fault() + ": " + fault.reason()));
      progress.add(1, 0, 0);
    } else {
      throw fault;
    }
  }

  @Override
  public void close() {
    ring.forEach(Job::close);
  }
}
