package io.headrace.lab.tune;

import io.headrace.error.ConfigException;
import io.headrace.lab.trial.Trial;
import java.nio.file.Path;
import java.util.List;

/// How to tune.
///
/// @param trial how the trainer is fed today: the dataset as it was found, its pipeline, its store
/// @param limits on the choice
/// @param candidates to try; the first is the original
/// @param samples to convert and load of each that is measured
/// @param repeats of each, in turn with the others, at least; medians count
/// @param seconds that a measurement lasts at least: epochs are loaded until they are over
/// @param budgetSeconds of the tuner's own time, after which the best so far is picked
/// @param work folder for converted samples, removed at the end
public record TuneOptions(
    Trial trial,
    Limits limits,
    List<Candidate> candidates,
    int samples,
    int repeats,
    double seconds,
    double budgetSeconds,
    Path work) {
  /// Copies the list.
  ///
  /// @throws ConfigException if a number makes no sense
  public TuneOptions {
    candidates = List.copyOf(candidates);
    if (samples < 1 || repeats < 1 || !(seconds >= 0) || !(budgetSeconds > 0)) {
      throw new ConfigException(
          "samples, repeats, seconds, budget: expected at least 1, 1, 0 and more than 0 of these");
    }
  }
}
