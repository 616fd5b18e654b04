package io.headrace.lab.tune;

import io.headrace.lab.model.Costs;
import io.headrace.lab.trial.Conversion;
import io.headrace.lab.trial.Median;
import io.headrace.lab.trial.Trial;
import io.headrace.load.Bottleneck;
import java.util.Collections;
import java.util.List;

/// What was measured of a candidate. Rates are samples a second.
///
/// @param candidate which
/// @param trial how it is best loaded: the settings of the whole dataset
/// @param costs of one sample, each part measured alone
/// @param totalBytes stored bytes of the whole dataset, extrapolated from the sample
/// @param conversion of the sample
/// @param convertSeconds that converting the whole dataset takes; 0 for the original
/// @param predicted rate that the model expects
/// @param rates that the loader had, one a repeat; all candidates were loaded in turn
/// @param storeRate rate at which the store can feed the whole dataset; infinite if it fits in
///     memory, or if the store is imitated, so that the measured rates have it
/// @param bottleneck of the measured rate
public record Result(
    Candidate candidate,
    Trial trial,
    Costs costs,
    double totalBytes,
    Conversion conversion,
    double convertSeconds,
    double predicted,
    List<Double> rates,
    double storeRate,
    Bottleneck bottleneck) {
  public Result {
    rates = List.copyOf(rates);
  }

  /// {@return the median of the measured rates}
  public double measured() {
    return Median.of(rates).value();
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

  /// {@return mean SSIM against the original; 1 where pixels are unchanged}
  public double quality() {
    return conversion.ssim();
  }

  /// {@return whether pixels are those of the original}
  public boolean lossless() {
    return conversion.lossless();
  }
}
