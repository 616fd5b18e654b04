package io.headrace.load.plan;

/// What a cache did in an epoch.
///
/// @param name of its kind, such as `minio` or `minio:decoded`; `none` if there is no cache
/// @param hits samples delivered without reading them in this epoch
/// @param misses samples that were read
/// @param extended those among the misses of which the cache had some fidelity groups, so that only
///     the others were read
/// @param predicted the share of hits predicted before the epoch, 0 to 1: 0 while the cache is
///     empty; NaN where no formula is known
/// @param estimated whether the prediction rests on the sizes of some samples only, as where they
///     are kept decoded and differ in size
/// @param usedBytes off-heap bytes taken now
/// @param capacity off-heap bytes that it may take
public record CacheReading(
    String name,
    long hits,
    long misses,
    long extended,
    double predicted,
    boolean estimated,
    long usedBytes,
    long capacity) {
  /// {@return the share of hits, 0 to 1}
  public double hitRate() {
    return hits + misses == 0 ? 0 : (double) hits / (hits + misses);
  }
}
