package io.headrace.lab.tune;

import io.headrace.lab.model.Costs;
import io.headrace.load.Bottleneck;

/// What was found out about a candidate. Rates are samples a second.
///
/// @param candidate which
/// @param costs of one sample, each part measured alone
/// @param totalBytes stored bytes of the whole dataset, extrapolated from the sample
/// @param quality mean SSIM against the original; 1 where pixels are unchanged
/// @param predicted rate from memory that the model expects
/// @param measured rate from memory that the loader had
/// @param storeRate rate at which the store can feed the whole dataset; infinite if it fits in
///     memory
/// @param bottleneck what the measured rate was bound by
/// @param decodeSeconds one thread's time to decode a sample
/// @param transformSeconds one thread's time to crop, resize and pack a sample
/// @param convertSeconds wall time it took to convert the sample; 0 for the original
public record Result(
    Candidate candidate,
    Costs costs,
    double totalBytes,
    double quality,
    double predicted,
    double measured,
    double storeRate,
    Bottleneck bottleneck,
    double decodeSeconds,
    double transformSeconds,
    double convertSeconds) {
  /// {@return the rate to count on: measured, or the store's where that is lower}
  public double rate() {
    return Math.min(measured, storeRate);
  }

  /// {@return whether pixels are those of the original}
  public boolean lossless() {
    return quality >= 1;
  }
}
