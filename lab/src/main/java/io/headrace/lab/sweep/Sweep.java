package io.headrace.lab.sweep;

import io.headrace.error.ConfigException;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Trials to compare, and how thoroughly.
///
/// @param name for people, such as `zlib-strategies`
/// @param trials without duplicates, in the order they take turns
/// @param repeats runs of each that count, at least 1; one more before them warms up
/// @param seconds that a run lasts at least
/// @param reconvert whether what is done ahead is done, and timed, anew for every repeat, as in
///     PRESTO's runs without a cache
public record Sweep(
    String name, List<Trial> trials, int repeats, double seconds, boolean reconvert) {
  /// Usual number of repeats.
  public static final int REPEATS = 5;

  /// Drops duplicates.
  ///
  /// @throws ConfigException if there is nothing to do
  public Sweep {
    trials = List.copyOf(new LinkedHashSet<>(trials));
    if (trials.isEmpty() || repeats < 1 || !(seconds >= 0)) {
      throw new ConfigException(
          "sweep %s of %d trials, %d repeats, %s seconds: expected at least 1, 1 and 0 of these"
              .formatted(name, trials.size(), repeats, seconds));
    }
  }

  /// {@return a sweep of one trial, to be varied}
  public static Sweep of(String name, Trial trial) {
    return new Sweep(name, List.of(trial), REPEATS, 1, false);
  }

  /// {@return every trial with each of some values: the product of both}
  ///
  /// @param values in the spelling of users
  public Sweep over(Key key, String... values) {
    List<Trial> product = new ArrayList<>();
    for (Trial trial : trials) {
      for (String value : values) {
        product.add(trial.with(key, value));
      }
    }
    return withTrials(product);
  }

  /// {@return the same with these trials instead}
  public Sweep withTrials(List<Trial> instead) {
    return new Sweep(name, instead, repeats, seconds, reconvert);
  }

  /// {@return the same with another number of repeats}
  public Sweep repeats(int number) {
    return new Sweep(name, trials, number, seconds, reconvert);
  }

  /// {@return the same with runs of another length}
  public Sweep seconds(double least) {
    return new Sweep(name, trials, repeats, least, reconvert);
  }

  /// {@return the keys in which the trials differ}
  public Set<Key> varied() {
    return varied(trials);
  }

  /// {@return the keys in which some trials differ, in their order}
  static Set<Key> varied(List<Trial> some) {
    Set<Key> varied = EnumSet.allOf(Key.class);
    varied.removeIf(key -> some.stream().map(trial -> trial.get(key)).distinct().count() <= 1);
    return varied;
  }
}
