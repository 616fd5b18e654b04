package io.headrace.lab.tune;

import io.headrace.error.ConfigException;

/// Bounds on the choice.
///
/// @param storageBytes the whole dataset may take on disk
/// @param memoryBytes that may hold data between epochs (page cache or own)
/// @param consumer samples a second the trainer can take; 0 if not known
/// @param minQuality lowest mean SSIM against the original, 0 to 1
public record Limits(long storageBytes, long memoryBytes, double consumer, double minQuality) {
  /// Checks ranges.
  public Limits {
    if (storageBytes <= 0 || memoryBytes <= 0) {
      throw new ConfigException(
          "storage %d and memory %d bytes: expected more than 0"
              .formatted(storageBytes, memoryBytes));
    }
    if (!(consumer >= 0) || !(minQuality >= 0 && minQuality <= 1)) {
      throw new ConfigException(
          "consumer rate %s, quality %s: expected a rate of at least 0, an SSIM of 0 to 1"
              .formatted(consumer, minQuality));
    }
  }
}
