package io.headrace.lab.tune;

/// What one sample costs, each part measured alone, and what a loader can make of it.
///
/// @param readSeconds one thread's time to get a sample's encoded bytes when they are in memory,
///     decompression included
/// @param prepSeconds one thread's time to decode, crop, resize and pack it
/// @param storedBytes bytes it takes on disk
public record Costs(double readSeconds, double prepSeconds, double storedBytes) {
  /// {@return samples a second from memory: the lower of two rates: that of the decode workers, and
  ///     that of the processors with decoding and reading together}
  ///
  /// @param cores processors
  /// @param threads decode workers
  public double predict(int cores, int threads) {
    return Math.min(threads / prepSeconds, cores / (prepSeconds + readSeconds));
  }

  /// {@return samples a second that the store alone gives; infinite where all data fit in memory}
  ///
  /// The cache is assumed to hold the share `memoryBytes / totalBytes` of the samples and never to
  /// evict, as CoorDL's MinIO does (Mohan et al., VLDB 2021). The rest is read every epoch.
  ///
  /// @param totalBytes stored bytes of the whole dataset
  /// @param memoryBytes that may hold data between epochs
  /// @param diskBytesPerSecond read rate of the store
  public double storeRate(double totalBytes, double memoryBytes, double diskBytesPerSecond) {
    double missing = 1 - memoryBytes / totalBytes;
    return missing <= 0 ? Double.POSITIVE_INFINITY : diskBytesPerSecond / (storedBytes * missing);
  }
}
