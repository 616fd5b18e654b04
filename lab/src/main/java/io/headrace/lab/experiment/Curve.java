package io.headrace.lab.experiment;

import java.util.List;
import java.util.function.ToDoubleFunction;

/// What came of a training.
///
/// @param epochs in order
public record Curve(List<Epoch> epochs) {
  /// What came of an epoch.
  ///
  /// @param top1 share of the validation's pictures whose class had the highest score
  /// @param images trained on
  /// @param seconds from the first batch asked for to the last step
  /// @param computing seconds of these without waiting for data
  /// @param bytes read
  /// @param fidelity that was read, as `--fidelity` spells it
  public record Epoch(
      double top1, long images, double seconds, double computing, long bytes, String fidelity) {}

  public Curve {
    epochs = List.copyOf(epochs);
  }

  /// {@return the accuracy after the last epoch, in percent}
  double last() {
    return 100 * epochs.getLast().top1();
  }

  /// {@return the highest accuracy after any epoch, in percent}
  double peak() {
    return 100 * epochs.stream().mapToDouble(Epoch::top1).max().orElse(0);
  }

  /// {@return bytes read for a picture, mean over all epochs}
  double bytesPerImage() {
    return (double) epochs.stream().mapToLong(Epoch::bytes).sum()
        / Math.max(1, epochs.stream().mapToLong(Epoch::images).sum());
  }

  /// {@return images a second, without the first epoch, in which code warms up}
  double rate() {
    return perSecond(Epoch::seconds);
  }

  /// {@return images a second without waiting for data, as [#rate]}
  double trainersRate() {
    return perSecond(Epoch::computing);
  }

  private double perSecond(ToDoubleFunction<Epoch> seconds) {
    List<Epoch> warm = epochs.size() > 1 ? epochs.subList(1, epochs.size()) : epochs;
    return warm.stream().mapToLong(Epoch::images).sum() / warm.stream().mapToDouble(seconds).sum();
  }

  /// {@return seconds of training until an accuracy in percent is reached; infinite if it is not}
  double secondsTo(double accuracy) {
    double spent = 0;
    for (Epoch epoch : epochs) {
      spent += epoch.seconds();
      if (100 * epoch.top1() >= accuracy) {
        return spent;
      }
    }
    return Double.POSITIVE_INFINITY;
  }
}
