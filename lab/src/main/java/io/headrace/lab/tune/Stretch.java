package io.headrace.lab.tune;

import io.headrace.format.Dataset;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Epochs loaded one after another for a while.
///
/// @param epochs what each did, in order
/// @param seconds from when the first was asked for to the last batch of the last, with what is
///     between epochs
public record Stretch(List<EpochReport> epochs, double seconds) {
  /// Copies the list.
  public Stretch {
    epochs = List.copyOf(epochs);
  }

  /// {@return delivered samples a second}
  public double rate() {
    return epochs.stream().mapToLong(EpochReport::delivered).sum() / seconds;
  }

  /// {@return the median of their rates}
  public static double medianRate(List<Stretch> stretches) {
    return Result.median(stretches.stream().map(Stretch::rate).toList());
  }

  /// {@return the last epoch}
  public EpochReport last() {
    return epochs.getLast();
  }

  /// Loads whole epochs until `seconds` are over, at least one.
  ///
  /// @param first number of the first epoch
  /// @throws IOException if an epoch delivers nothing
  public static Stretch of(
      Dataset dataset, Pipeline pipeline, LoadOptions options, long first, double seconds)
      throws IOException {
    try (var loader = new Loader(dataset, pipeline, options)) {
      return of(number -> load(loader, number), first, seconds, dataset.root().toString());
    }
  }

  /// Loads one epoch.
  @FunctionalInterface
  interface Epochs {
    EpochReport load(long number) throws IOException;
  }

  static Stretch of(Epochs loader, long first, double seconds, String name) throws IOException {
    List<EpochReport> epochs = new ArrayList<>();
    double passed;
    do {
      EpochReport report = loader.load(first + epochs.size());
      if (report.delivered() == 0) {
        throw new IOException(name + ": not one sample could be loaded");
      }
      epochs.add(report);
      passed = report.began() + report.seconds() - epochs.getFirst().began();
    } while (passed < seconds);
    return new Stretch(epochs, passed);
  }

  private static EpochReport load(Loader loader, long number) throws IOException {
    try (Epoch epoch = loader.epoch(number)) {
      loader.announce(number + 1);
      for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
        batch.close();
      }
      return epoch.report();
    }
  }
}
