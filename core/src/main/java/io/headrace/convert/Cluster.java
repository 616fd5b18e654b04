package io.headrace.convert;

import java.io.IOException;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Processes that see the same files as this one, among which the shards of a conversion are
/// spread. What they do is [ShardPart]'s; a cluster brings plans to them and tallies back.
public interface Cluster extends AutoCloseable {
  /// Has the samples of each shard of a source counted.
  ///
  /// @param plan of which only the source counts
  /// @param shards that the source has
  List<Long> count(SpreadPlan plan, int shards) throws IOException, InterruptedException;

  /// Has shards written, and returns when all are.
  ///
  /// @param shards their numbers
  /// @param finished is told of each, once, as soon as it is written
  /// @throws IOException if one cannot be written; those in work are given up
  void write(SpreadPlan plan, List<Integer> shards, Finished finished)
      throws IOException, InterruptedException;

  @Override
  void close();

  /// Takes shards that are written.
  @FunctionalInterface
  interface Finished {
    /// Takes one.
    ///
    /// @param attempt that wrote it, as [ShardPart#write] was told
    /// @param tally as [ShardPart#write] gave it
    void shard(int shard, String attempt, String tally) throws IOException;
  }

  /// Makes clusters of one kind; found as a service.
  interface Provider {
    /// {@return the name of the kind, such as `spark`}
    String name();

    /// {@return the cluster at an address}
    ///
    /// @throws io.headrace.error.ConfigException if there can be none
    Cluster connect(String url);
  }

  /// {@return what makes clusters of a kind, or null if no module that is present does}
  static @Nullable Provider provider(String name) {
    for (Provider provider : ServiceLoader.load(Provider.class, Cluster.class.getClassLoader())) {
      if (provider.name().equals(name)) {
        return provider;
      }
    }
    return null;
  }
}
