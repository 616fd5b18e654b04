package io.headrace.lab.experiment;

import io.headrace.error.ConfigException;
import java.util.List;
import java.util.stream.Collectors;

/// All experiments there are.
public final class Experiments {
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
          new LiquidMix(),
          new ProgressiveRecords(),
          new Accuracy(),
          new StorageBudget(),
          new Regimens(),
          new ProgressiveTraining(),
          new LiquidTraining());

  private Experiments() {}

  /// {@return all of them, in the order they run}
  public static List<Experiment> all() {
    return ALL;
  }

  /// {@return the one of that name}
  ///
  /// @throws ConfigException if there is none
  public static Experiment named(String name) {
    return ALL.stream()
        .filter(experiment -> experiment.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ConfigException(
                    "no experiment '%s': expected %s"
                        .formatted(
                            name,
                            ALL.stream().map(Experiment::name).collect(Collectors.joining(", ")))));
  }
}
