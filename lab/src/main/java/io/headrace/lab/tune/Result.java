package io.headrace.lab.tune;

import io.headrace.load.Bottleneck;
import java.util.Collections;
import java.util.List;

/// What was measured of a candidate. Rates are samples a second.
///
/// @param candidate which
/// @param costs of one sample, each part measured alone
/// @param totalBytes stored bytes of the whole dataset, extrapolated from the sample
/// @param quality mean SSIM against the original; 1 where pixels are unchanged
/// @param predicted rate from memory that the model expects
/// @param rates from memory that the loader had, one a repeat; all candidates were loaded in turn
/// @param storeRate rate at which the store can feed the whole dataset; infinite if it fits in
///     memory
/// @param bottleneck of the measured rate
/// @param decodeSeconds one thread's time to decode a sample
/// @param transformSeconds one thread's time to crop, resize and pack a sample
/// @param convertSeconds wall time it took to convert the sample; 0 for the original
public record Result(
    Candidate candidate,
    Costs costs,
    double totalBytes,
    double quality,
    double predicted,
    List<Double> rates,
    double storeRate,
    Bottleneck bottleneck,
    double decodeSeconds,
    double transformSeconds,
    double convertSeconds) {
  /// Copies the list.
  public Result {
    rates = List.copyOf(rates);
  }

  /// {@return the median of the measured rates}
  public double measured() {
    return median(rates);
  }

  /// {@return how far apart the highest and the lowest measured rate are, as a share of the median;
  /// 0 for one repeat}
  public double spread() {
    return (Collections.max(rates) - Collections.min(rates)) / measured();
  }

  /// {@return the rate to expect: the measured one, or the store's where that is lower}
  public double rate() {
    return Math.min(measured(), storeRate);
  }

  /// {@return whether the store is slower than the loader}
  public boolean storeBound() {
    return storeRate < measured();
  }

  /// {@return whether pixels are those of the original}
  public boolean lossless() {
    return quality >= 1;
  }

  /// {@return the middle value, or the mean of the two middle ones}
  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
