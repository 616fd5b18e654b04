package io.headrace.lab.sweep;

import io.headrace.lab.machine.Machine;
import io.headrace.lab.trial.CacheLevel;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Runs sweeps into a file. Trials take turns, repeat after repeat, so that a drift of the machine
/// affects all alike. What the file already has is not run again.
///
/// @param runner stays the caller's
/// @param machine facts of the machine, for the file
/// @param progress told what is done, one line each
/// @param goesOn asked before each run
public record Sweeper(
    Runner runner, Map<String, String> machine, Consumer<String> progress, BooleanSupplier goesOn) {
  /// A sweeper that nothing stops.
  public Sweeper(Runner runner, Consumer<String> progress) {
    this(runner, Machine.facts(), progress, () -> true);
  }

  /// Runs what is missing of a sweep.
  ///
  /// A trial of which something is missing is warmed up first, also where the file has a warm-up of
  /// an earlier process. Cold runs need none for their data, but the code needs it.
  ///
  /// @param file gets a line for each run as soon as it is over
  /// @return what the file has of this sweep
  public Runs run(Sweep sweep, Path file) throws IOException, InterruptedException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Runs.begin(file, sweep.name(), machine);
    Runs there = Runs.read(file);
    List<Trial> unfinished =
        sweep.trials().stream()
            .filter(
                trial ->
                    !IntStream.rangeClosed(1, sweep.repeats()).allMatch(n -> there.has(trial, n)))
            .toList();
    for (int repeat = 0; repeat <= sweep.repeats(); repeat++) {
      int number = repeat;
      List<Trial> missing =
          unfinished.stream().filter(t -> number == 0 || !there.has(t, number)).toList();
      if (!round(sweep, missing, repeat, file)) {
        break;
      }
    }
    return of(sweep, Runs.read(file));
  }

  /// Runs some of a sweep's trials once each, in turn.
  ///
  /// @param repeat its number; 0 warms up
  /// @param file of runs, which gets a line for each
  /// @return false if it was told to stop before all were run
  public boolean round(Sweep sweep, List<Trial> trials, int repeat, Path file)
      throws IOException, InterruptedException {
    Set<Key> varied = sweep.varied();
    for (Trial trial : trials) {
      if (!goesOn.getAsBoolean()) {
        return false;
      }
      progress.accept(
          "%s: %s, %s"
              .formatted(
                  sweep.name(),
                  trial.label(varied),
                  repeat == 0 ? "warm-up" : repeat + " of " + sweep.repeats()));
      if (sweep.reconvert() && repeat > 0 && trial.level() == CacheLevel.COLD) {
        runner.forget(trial);
      }
      Runs.add(file, runner.run(trial, repeat, sweep.seconds()));
    }
    return true;
  }

  private static Runs of(Sweep sweep, Runs all) {
    Set<Map<String, String>> wanted =
        Set.copyOf(sweep.trials().stream().map(Trial::toMap).toList());
    return new Runs(
        all.machine(), all.runs().stream().filter(run -> wanted.contains(run.settings())).toList());
  }
}
