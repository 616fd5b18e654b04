package io.headrace.lab.tune;

import static io.headrace.lab.report.Words.format;

import io.headrace.convert.target.TargetEncoding;
import io.headrace.error.ConfigException;
import io.headrace.lab.trial.Conversion;
import org.jspecify.annotations.Nullable;

/// Bounds on the choice.
///
/// @param storageBytes the whole dataset may take on disk
/// @param memoryBytes that may hold data between epochs (page cache or own)
/// @param consumer samples a second the trainer can take; 0 if not known
/// @param minQuality lowest mean SSIM against the original, 0 to 1
/// @param minMsSsim lowest mean MS-SSIM, 0 to 1
/// @param lossless whether every pixel must stay
/// @param offlineSeconds that converting the whole dataset may take
/// @param accuracy what training on each encoding lost, or null if that does not bound the choice
public record Limits(
    long storageBytes,
    long memoryBytes,
    double consumer,
    double minQuality,
    double minMsSsim,
    boolean lossless,
    double offlineSeconds,
    @Nullable AccuracyFile accuracy) {
  /// Checks ranges.
  public Limits {
    if (storageBytes <= 0 || memoryBytes <= 0 || !(offlineSeconds > 0)) {
      throw new ConfigException(
          "storage %d and memory %d bytes, %s seconds offline: expected more than 0"
              .formatted(storageBytes, memoryBytes, offlineSeconds));
    }
    if (!(consumer >= 0)
        || !(minQuality >= 0 && minQuality <= 1)
        || !(minMsSsim >= 0 && minMsSsim <= 1)) {
      throw new ConfigException(
          "consumer rate %s, SSIM %s, MS-SSIM %s: expected a rate of at least 0, others of 0 to 1"
              .formatted(consumer, minQuality, minMsSsim));
    }
  }

  /// Limits on bytes, rate and SSIM alone.
  public Limits(long storageBytes, long memoryBytes, double consumer, double minQuality) {
    this(storageBytes, memoryBytes, consumer, minQuality, 0, false, Double.POSITIVE_INFINITY, null);
  }

  /// {@return why a candidate is outside the limits, or nothing if it is within}
  ///
  /// @param totalBytes of the whole dataset in it
  /// @param seconds that converting all of it takes
  public String objection(
      Candidate candidate, double totalBytes, Conversion conversion, double seconds) {
    if (totalBytes > storageBytes) {
      return "over the storage limit";
    }
    if (seconds > offlineSeconds) {
      return format(
          "converting takes %s, and %s are allowed", hours(seconds), hours(offlineSeconds));
    }
    if (lossless && !conversion.lossless()) {
      return "its pixels differ";
    }
    if (conversion.ssim() < minQuality) {
      return "below the quality limit";
    }
    if (conversion.msSsim() < minMsSsim) {
      return "below the limit of MS-SSIM";
    }
    AccuracyFile known = accuracy;
    if (known != null && !conversion.lossless() && candidate.representation() != null) {
      TargetEncoding encoding = candidate.representation().encoding();
      return known.objection(encoding.spec(), candidate.representation().resize().spec());
    }
    return "";
  }

  private static String hours(double seconds) {
    return seconds < 120
        ? format("%.0f s", seconds)
        : seconds < 7200 ? format("%.1f min", seconds / 60) : format("%.1f h", seconds / 3600);
  }
}
