package io.headrace.spark;

import io.headrace.convert.Cluster;

/// Conversions on Spark's executors.
public final class SparkProvider implements Cluster.Provider {
  /// Made as a service.
  public SparkProvider() {}

  @Override
  public String name() {
    return "spark";
  }

  @Override
  public Cluster connect(String url) {
    return SparkCluster.connect(url);
  }
}
