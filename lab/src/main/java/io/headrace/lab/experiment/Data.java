package io.headrace.lab.experiment;

import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.trial.Trial;

/// What an experiment measured.
///
/// @param setup that it was measured with
/// @param runs of its trials
/// @param facts what no trial measures
public record Data(Setup setup, Runs runs, Facts facts) {
  /// {@return what was measured of a trial}
  ///
  /// @throws io.headrace.error.ConfigException if it was not
  Summary of(Trial trial) {
    return runs.of(trial);
  }

  /// {@return the median rate of a trial, samples a second}
  double rate(Trial trial) {
    return of(trial).rate();
  }
}
