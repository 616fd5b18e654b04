package io.headrace.lab.model;

import io.headrace.error.ConfigException;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.trial.CacheLevel;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Median;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Trial;
import io.headrace.store.Device;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How far predictions are from what was measured: a function of a file of runs.
///
/// Costs are taken from those trials that ran from memory ([Costs#anchors]); the trials that are
/// predicted are all others.
///
/// @param pairs predicted beside measured, in the order of the file
/// @param unpredicted trials for which the file has no costs
public record Errors(List<Pair> pairs, List<Trial> unpredicted) {
  /// A trial, predicted and measured.
  ///
  /// @param runs of the trial
  /// @param prediction for it
  public record Pair(Summary runs, Prediction prediction) {
    /// {@return predicted over measured, less one}
    public double error() {
      return prediction.rate() / runs.rate() - 1;
    }
  }

  public Errors {
    pairs = List.copyOf(pairs);
    unpredicted = List.copyOf(unpredicted);
  }

  /// {@return the errors of all trials of a file}
  ///
  /// @param cores processors of the machine it was made on
  public static Errors of(Runs file, int cores) {
    List<Summary> all = file.summaries();
    List<Pair> pairs = new ArrayList<>();
    List<Trial> unpredicted = new ArrayList<>();
    for (Summary runs : all) {
      Costs costs = costsFor(runs.trial(), all, cores);
      if (costs == null || runs.trial().level() == CacheLevel.COLD) {
        unpredicted.add(runs.trial());
      } else if (!anchor(runs, all)) {
        pairs.add(new Pair(runs, predict(runs, costs, cores)));
      }
    }
    return new Errors(pairs, unpredicted);
  }

  private static Prediction predict(Summary runs, Costs costs, int cores) {
    Trial trial = runs.trial();
    Device device = Device.find(trial.get(Key.STORE));
    Platform platform = Platform.of(cores);
    return Model.USUAL.predict(
        trial,
        costs,
        device == null ? platform : platform.with(device),
        runs.conversion().samples());
  }

  /// {@return whether costs are taken from these runs}
  private static boolean anchor(Summary runs, List<Summary> all) {
    return runs.equals(anchorOf(runs.trial(), all)) || runs.equals(keptOf(runs.trial(), all));
  }

  private static @Nullable Summary anchorOf(Trial trial, List<Summary> all) {
    return most(all.stream().filter(s -> Costs.anchors(s.trial())), trial);
  }

  /// {@return runs whose cache of the same kind had everything}
  private static @Nullable Summary keptOf(Trial trial, List<Summary> all) {
    return most(
        all.stream()
            .filter(s -> s.value(Run::hitRate) > 0.999)
            .filter(s -> s.trial().cache().name().equals(trial.cache().name()))
            .filter(s -> s.trial().consumer().unbounded()),
        trial);
  }

  /// {@return of the runs that share a trial's costs those with the most threads}
  private static @Nullable Summary most(Stream<Summary> some, Trial trial) {
    return some.filter(one -> Costs.shared(one.trial(), trial))
        .max(Comparator.comparingInt(one -> one.trial().number(Key.THREADS)))
        .orElse(null);
  }

  /// {@return what the file says of a trial's costs, or null if it says nothing}
  public static @Nullable Costs costsFor(Trial trial, List<Summary> all, int cores) {
    Summary anchor = anchorOf(trial, all);
    return anchor == null ? null : Costs.of(anchor, cores, keptOf(trial, all));
  }

  /// {@return the relative error below which a share of the predictions lies}
  ///
  /// @throws ConfigException if nothing was predicted
  public double quantile(double share) {
    if (pairs.isEmpty()) {
      throw new ConfigException(
          "nothing to compare: the runs have no trial from memory beside others of the same data");
    }
    return Median.quantile(pairs.stream().map(pair -> Math.abs(pair.error())).toList(), share);
  }

  /// {@return the median relative error}
  public double median() {
    return quantile(0.5);
  }
}
