package io.headrace.load;

/// What a cache did in an epoch.
///
/// @param name of its kind, such as `minio`; `none` if there is no cache
/// @param hits samples delivered without reading them in this epoch
/// @param misses samples that were read
/// @param predicted the share of hits worked out before the epoch, 0 to 1: 0 while the cache is
///     empty; NaN where no formula is known
/// @param usedBytes off-heap bytes taken now
/// @param capacity off-heap bytes that it may take
public record CacheReading(
    String name, long hits, long misses, double predicted, long usedBytes, long capacity) {
  /// {@return the share of hits, 0 to 1}
  public double hitRate() {
    return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
  }
}
