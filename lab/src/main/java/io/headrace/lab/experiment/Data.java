package io.headrace.lab.experiment;

import io.headrace.error.ConfigException;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.trial.Trial;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// What an experiment measured.
///
/// @param setup that it was measured with
/// @param runs of its trials
/// @param facts what no trial measures
/// @param curves what came of trainings, one for each seed, by the course's name
public record Data(Setup setup, Runs runs, Facts facts, Map<String, List<Curve>> curves) {
  /// Data without trainings.
  public Data(Setup setup, Runs runs, Facts facts) {
    this(setup, runs, facts, Map.of());
  }

  /// Data without trials.
  Data(Setup setup, Facts facts, Map<String, List<Curve>> curves) {
    this(setup, new Runs(Map.of(), List.of()), facts, curves);
  }

  /// {@return a number that no trial measures}
  ///
  /// @throws ConfigException if it was not measured
  double fact(String name) {
    return facts.get(name);
  }

  /// {@return a list of something}
  ///
  /// @param nothing what to say where there is nothing in it
  /// @throws ConfigException if that is so
  static <T> List<T> some(List<T> all, String nothing) {
    if (all.isEmpty()) {
      throw new ConfigException(nothing);
    }
    return all;
  }

  /// {@return what came of a training, one for each seed}
  ///
  /// @throws ConfigException if it was not trained
  List<Curve> of(Course course) {
    List<Curve> curve = curves.get(course.name());
    if (curve == null) {
      throw new ConfigException(
          "not trained: "
              + course.name()
              + (curves.isEmpty() ? "; ./headrace in a source tree brings what trains" : ""));
    }
    return curve;
  }

  /// {@return a number of a training over its seeds}
  Score score(Course course, ToDoubleFunction<Curve> number) {
    return Score.of(of(course).stream().map(curve -> number.applyAsDouble(curve)).toList());
  }

  /// {@return the accuracy at the end of a training, in percent}
  Score accuracy(Course course) {
    return score(course, Curve::last);
  }

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
