package io.headrace.convert;

import io.headrace.convert.checkpoint.ShardTally;
import io.headrace.convert.checkpoint.Staging;
import io.headrace.format.Manifest;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes a dataset of samples that other processes have: each of them writes those of a shard, by
/// [ShardPart#write]; this begins and ends it. Nothing appears under a final name before
/// [#commit], and a dataset that is replaced stays whole until then.
public final class PartsConverter implements AutoCloseable {
  private final ConvertOptions options;
  private final SpreadPlan plan;
  private final ManifestOf.Origin origin;
  private final Staging staging;
  private final @Nullable Manifest replaced;
  private final @Nullable ShardTally[] tallies;
  private boolean ended;

  /// Begins it.
  ///
  /// @param options with as many shards as there are parts
  /// @param classes names by label; empty if there are none
  /// @param done steps of a pipeline that were done to the samples
  /// @param replace whether a dataset with a manifest that is in the target gives way
  /// @throws io.headrace.error.ConfigException if something else is there, or if the options need
  ///     to know the whole dataset
  public PartsConverter(ConvertOptions options, List<String> classes, String done, boolean replace)
      throws IOException {
    this.options = options;
    plan = SpreadPlan.ofParts(options, done);
    origin = new ManifestOf.Origin(List.copyOf(classes), done, null);
    replaced = replace ? Manifest.readIfPresent(options.target()) : null;
    staging =
        Staging.again(
            options.target(),
            options.name(),
            options.shards(),
            options.representation().container(null),
            replaced != null);
    tallies = new @Nullable ShardTally[options.shards()];
  }

  /// {@return what a process must know to write a shard}
  public SpreadPlan plan() {
    return plan;
  }

  /// Takes a shard that is written. Only the first attempt at it counts.
  ///
  /// @param attempt that wrote it
  /// @param tally as [ShardPart#write] gave it
  public synchronized void finished(int shard, String attempt, String tally) throws IOException {
    if (tallies[Objects.checkIndex(shard, tallies.length)] == null) {
      ShardTally read = ShardTally.parse(tally);
      staging.finish(shard, attempt, read);
      tallies[shard] = read;
    }
  }

  /// Ends it: the dataset is there.
  ///
  /// @throws io.headrace.error.ConfigException if there is no sample in it
  public ConvertReport commit() throws IOException {
    List<ShardTally> all = Converter.all(tallies, "the parts");
    ended = true; // from here on the work folder may have the only copy: nothing is removed
    if (replaced != null) {
      staging.clearTarget(replaced);
    }
    Converter.publish(staging, options, all, origin);
    long count = all.stream().mapToLong(ShardTally::in).sum();
    return ConvertReport.of(all, options, count, 0, 0, null);
  }

  /// Removes all that was written, unless [#commit] has begun to publish it.
  @Override
  public void close() throws IOException {
    if (ended) {
      staging.close();
    } else {
      ended = true;
      staging.abandon();
    }
  }
}
