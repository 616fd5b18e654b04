package io.headrace.convert;

import io.headrace.convert.checkpoint.Quarantine;
import io.headrace.convert.checkpoint.ShardFile;
import io.headrace.convert.checkpoint.ShardTally;
import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.Container;
import io.headrace.format.Container.ShardTarget;
import io.headrace.format.ShardWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/// Writes one shard after another: hands its samples to the workers, a few ahead, and writes the
/// records in order.
final class ShardTask {
  private final ConvertOptions options;
  private final Container container;
  private final SourceOrder order;
  private final BlockingQueue<Job> queue;
  private final Progress progress;
  private final List<Job> ring;

  /// @param queue where workers take jobs from
  /// @param ring jobs for samples in work; stay the workers'
  ShardTask(
      ConvertOptions options,
      Container container,
      SourceOrder order,
      BlockingQueue<Job> queue,
      List<Job> ring,
      Progress progress) {
    this.options = options;
    this.container = container;
    this.order = order;
    this.queue = queue;
    this.ring = ring;
    this.progress = progress;
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
      tally.file(file.bytes(), file.crc());
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
      Job.Packed packed = job.packed();
      writer.write(packed.meta(), job.bytes());
      tally.add(job.sample, packed.made(), packed.encodedBytes());
      progress.add(1, job.sample.encodedBytes(), packed.encodedBytes());
    } else if (options.skipBad() && fault.fault() != Fault.IO) {
      if (options.quarantine() != null) {
        Quarantine.keep(options.quarantine(), job.sample);
      }
      tally.skip(fault.where().toString(), fault.fault() + ": " + fault.reason());
      progress.add(1, 0, 0);
    } else {
      throw fault;
    }
  }
}
