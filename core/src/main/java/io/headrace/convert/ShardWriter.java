package io.headrace.convert;

import io.headrace.error.CorruptDataException;
import io.headrace.error.Fault;
import io.headrace.format.tfrecord.RecordWriter;
import io.headrace.memory.MemoryBudget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/// Writes one shard after another: hands its samples to the workers, a few ahead, and writes the
/// records in order.
@SuppressWarnings("EnumOrdinal") // an index into a tally that is written out by name
final class ShardWriter implements AutoCloseable {
  private final ConvertOptions options;
  private final SourceOrder order;
  private final BlockingQueue<Job> queue;
  private final Progress progress;
  private final double bytesPerSample;
  private final List<Job> ring = new ArrayList<>();

  /// @param ahead samples in work at one time
  /// @param bytesPerSample expected in the file, for messages about full disks
  ShardWriter(
      ConvertOptions options,
      SourceOrder order,
      BlockingQueue<Job> queue,
      Progress progress,
      MemoryBudget budget,
      int ahead,
      double bytesPerSample) {
    this.options = options;
    this.order = order;
    this.queue = queue;
    this.progress = progress;
    this.bytesPerSample = bytesPerSample;
    for (int i = 0; i < ahead; i++) {
      ring.add(new Job(budget));
    }
  }

  /// Writes the samples at positions `from` to `to` (not included) of the order.
  ///
  /// @param part the file; on disk, complete, when this returns
  /// @throws CorruptDataException at the first bad sample in order, unless those are skipped
  ShardTally write(Path part, long from, long to) throws IOException, InterruptedException {
    var tally = new ShardTally();
    long begun = from;
    long settled = from;
    try (var file = new ShardFile(part, (long) ((to - from) * bytesPerSample))) {
      try (var records = new RecordWriter(file, options.representation().compression())) {
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
          if (settled < begun) {
            settle(jobAt(settled), records, tally);
            settled++;
          }
        }
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

  private void settle(Job job, RecordWriter records, ShardTally tally)
      throws IOException, InterruptedException {
    job.await();
    CorruptDataException fault = job.fault;
    if (fault == null) {
      records.write(job.bytes());
      tally.samples++;
      tally.set.add(job.sample.id());
      tally.encodedBytesIn += job.sample.encodedBytes();
      tally.encodedBytesOut += job.encodedBytes;
      tally.outcomes[job.outcome.ordinal()]++;
      tally.orientationsDropped += job.orientationDropped ? 1 : 0;
      tally.alphasDropped += job.alphaDropped ? 1 : 0;
      progress.add(1, job.sample.encodedBytes(), job.encodedBytes);
    } else if (options.skipBad() && fault.fault() != Fault.IO) {
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
