package io.headrace.lab.experiment;

import io.headrace.error.ConfigException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// All experiments there are.
public final class Experiments {
  /// What asks whether this is right, not whether a paper is.
  private static final List<Experiment> OWN = List.of(new TunerCheck(), new Stalls());

  private static final List<Experiment> ALL =
      List.of(
          new ZlibStrategies(),
          new Zstandard(),
          new Variants(),
          new Thrash(),
          new StorageTiers(),
          new Standalone(),
          new TimeBudget(),
          new Orthogonality(),
          new LearnedCodecs(),
          new LiquidMix(),
          new ProgressiveRecords(),
          new Accuracy(),
          new StorageBudget(),
          new Regimens(),
          new ProgressiveTraining(),
          new LiquidTraining());

  private Experiments() {}

  /// {@return those on papers, in the order they run}
  public static List<Experiment> all() {
    return ALL;
  }

  /// {@return those on papers and those on ourselves}
  public static List<Experiment> withOwn() {
    return Stream.concat(ALL.stream(), OWN.stream()).toList();
  }

  /// {@return the one of that name}
  ///
  /// @throws ConfigException if there is none
  public static Experiment named(String name) {
    return withOwn().stream()
        .filter(experiment -> experiment.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigException(
                    "no experiment '%s': expected %s"
                        .formatted(
                            name,
                            withOwn().stream()
                                .map(Experiment::name)
                                .collect(Collectors.joining(", ")))));
  }
}
