package io.headrace.lab.experiment;

import static io.headrace.lab.report.Words.format;

import java.util.List;

/// A number that depends on the seed: its mean over seeds, and their standard deviation.
///
/// @param mean over seeds
/// @param spread standard deviation over seeds; 0 of a single one
record Score(double mean, double spread) {
  static Score of(List<Double> values) {
    double mean = Statistics.mean(values);
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    return new Score(mean, values.size() < 2 ? 0 : Math.sqrt(squares / (values.size() - 1)));
  }

  /// {@return how much higher this is}
  double above(Score other) {
    return mean - other.mean;
  }

  /// {@return whether they differ by more than both spreads together}
  boolean apart(Score other) {
    return Math.abs(above(other)) > spread + other.spread;
  }

  /// {@return whether this is higher, or not lower by more than both spreads together}
  boolean keepsUpWith(Score other) {
    return above(other) > 0 || !apart(other);
  }

  /// {@return the difference to another one in words, in points}
  String against(Score other) {
    return format(
        "%+.1f points%s", above(other), apart(other) ? "" : ", which is inside the seeds' spread");
  }

  @Override
  public String toString() {
    return format("%.1f ± %.1f %%", mean, spread);
  }
}
