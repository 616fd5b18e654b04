package io.headrace.load.plan;

/// What was read from storage at one fidelity.
///
/// @param groups of each sample, at most
/// @param samples read; those that a cache had are not among them
/// @param bytes that it took
public record FidelityReading(int groups, long samples, long bytes) {
  /// {@return mean bytes of a sample}
  public double meanBytes() {
    return samples == 0 ? 0 : (double) bytes / samples;
  }
}
