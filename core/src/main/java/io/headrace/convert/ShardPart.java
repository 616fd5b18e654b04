package io.headrace.convert;

import io.headrace.convert.checkpoint.ShardFile;
import io.headrace.convert.checkpoint.ShardTally;
import io.headrace.convert.checkpoint.Staging;
import io.headrace.error.CorruptDataException;
import io.headrace.format.Container;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.format.Subset;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One process's part of a conversion whose shards are spread: it writes those that it is told to.
///
/// A shard is written under a name that only one attempt has, so that it does not matter how often
/// it is begun, nor where. Thread-safe.
public final class ShardPart implements AutoCloseable {
  private final SpreadPlan plan;
  private final Dataset source;
  private final @Nullable Dataset whole;
  private final Container container;

  private ShardPart(SpreadPlan plan, Dataset source, @Nullable Dataset whole) {
    this.plan = plan;
    this.source = source;
    this.whole = whole;
    container = plan.options().representation().container(plan.dictionary());
  }

  /// {@return the part of a process that reads the source for itself}
  public static ShardPart open(SpreadPlan plan) throws IOException {
    SpreadPlan.Source from = plan.source();
    if (from == null) {
      throw new IllegalArgumentException("a plan without a source");
    }
    Dataset whole = Datasets.open(from.path(), from.opening());
    try {
      List<Long> numbers = plan.numbers();
      Dataset source =
          numbers == null
              ? whole
              : new Subset(whole, numbers.stream().mapToLong(Long::longValue).toArray(), "");
      var options = DataTables.make(source, plan.options(), Math.max(0, plan.count()));
      return new ShardPart(plan.with(options), source, whole);
    } catch (IOException | RuntimeException e) {
      whole.close();
      throw e;
    }
  }

  /// {@return the part of a process that has the samples of one shard}
  ///
  /// @param samples that only stream; stay the caller's
  public static ShardPart of(SpreadPlan plan, Dataset samples) {
    return new ShardPart(plan, samples, null);
  }

  /// {@return samples in a shard of the source}
  public long count(int shard) throws IOException {
    return Counting.samples(source, shard);
  }

  /// Writes a shard; it is on disk when this returns. Else nothing of it is left.
  ///
  /// @param attempt letters and digits that no other attempt at it has
  /// @return what is in it, for [Cluster.Finished] or [PartsConverter#finished]
  /// @throws CorruptDataException at the first bad sample in order, unless those are skipped
  /// @throws InterruptedException if it is to be given up
  public String write(int shard, String attempt) throws IOException, InterruptedException {
    ConvertOptions options = plan.options();
    long count = plan.count();
    long from = count < 0 ? 0 : options.boundary(count, shard);
    long to = count < 0 ? Long.MAX_VALUE : options.boundary(count, shard + 1);
    Path part = Staging.part(options.target(), shard, attempt);
    boolean finished = false;
    try {
      ShardTally tally;
      try (var workers =
              new Workers(
                  source,
                  options,
                  container,
                  Math.max(1, count),
                  plan.unwritable(),
                  plan.done(),
                  1);
          SourceOrder order = SourceOrder.of(source, options, count, plan.perShard());
          var file = new ShardFile(part, 0)) {
        tally = workers.newTask(order, new Progress()).write(shard, part, file, from, to);
      }
      finished = true;
      return tally.toJson();
    } finally {
      if (!finished) {
        Staging.drop(options.target(), shard, attempt);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (whole != null) {
      whole.close();
    }
  }
}
