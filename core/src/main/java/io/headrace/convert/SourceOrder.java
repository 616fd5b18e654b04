package io.headrace.convert;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.order.EpochOrder;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings samples of the source into the order they are written in.
sealed interface SourceOrder extends Closeable {
  /// Makes `job` the one for a position.
  ///
  /// @return false if the source has no sample there
  boolean begin(Job job, long position) throws IOException;

  /// {@return the order of a conversion}
  ///
  /// @param count samples in all; not looked at if the source only streams
  /// @param perShard samples in each shard of a source that only streams; empty if not known
  static SourceOrder of(Dataset source, ConvertOptions options, long count, List<Long> perShard) {
    return source.indexed()
        ? new Indexed(new EpochOrder(count, options.shuffle(), options.seed(), 0, 0, 1))
        : new Streamed(source, perShard);
  }

  /// Any sample at any time: workers read for themselves.
  record Indexed(EpochOrder order) implements SourceOrder {
    @Override
    public boolean begin(Job job, long position) {
      job.begin(order.sampleAt(position), position, false);
      return true;
    }

    @Override
    public void close() {}
  }

  /// Stored order, read by the only shard writer.
  final class Streamed implements SourceOrder {
    private final Dataset source;
    private final List<Long> perShard;
    private int shard;
    private long next;
    private Dataset.@Nullable SampleCursor cursor;

    Streamed(Dataset source, List<Long> perShard) {
      this.source = source;
      this.perShard = perShard;
    }

    @Override
    public boolean begin(Job job, long position) throws IOException {
      while (cursor == null && shard < perShard.size() && next + perShard.get(shard) <= position) {
        next += perShard.get(shard++);
      }
      while (next < position) { // shards that an earlier run has finished, or others write
        if (!read(job)) {
          return false;
        }
      }
      return read(job);
    }

    private boolean read(Job job) throws IOException {
      while (true) {
        Dataset.SampleCursor open = cursor;
        if (open == null) {
          if (shard == source.shards().size()) {
            return false;
          }
          open = source.openCursor(shard++);
          cursor = open;
        }
        job.begin(next, next, true);
        try {
          if (open.next(job.sample)) {
            next++;
            return true;
          }
        } catch (CorruptDataException e) {
          job.fault = e;
          next++;
          if (open.resumable()) {
            return true;
          }
        }
        open.close();
        cursor = null;
        if (job.fault != null) {
          return true;
        }
      }
    }

    @Override
    public void close() throws IOException {
      if (cursor != null) {
        cursor.close();
      }
    }
  }
}
