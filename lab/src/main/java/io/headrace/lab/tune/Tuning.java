package io.headrace.lab.tune;

import static io.headrace.lab.report.Words.format;

import io.headrace.error.CorruptDataException;
import io.headrace.format.Dataset;
import io.headrace.format.Sample;
import io.headrace.lab.model.Costs;
import io.headrace.lab.model.Platform;
import io.headrace.lab.trial.Glance;
import io.headrace.lab.trial.Instruments;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import io.headrace.memory.Block;
import io.headrace.memory.MemoryBudget;
import io.headrace.store.Store;
import io.headrace.store.ThrottledStore;
import io.headrace.store.disk.DiskProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Everything a tuning found.
///
/// @param results one a candidate, the original first
/// @param pick the choice and why
/// @param limits it was made under
/// @param sampled samples each candidate was measured on
/// @param samples in the whole dataset, -1 where that is not known
/// @param diskBytesPerSecond read rate of the disk the work folder is on
/// @param others share of the processors that other processes took, 0 to 1, one a measurement; NaN
///     where that is not known
/// @param untried candidates that were not measured to the end, and why
public record Tuning(
    List<Result> results,
    Pick pick,
    Limits limits,
    long sampled,
    long samples,
    double diskBytesPerSecond,
    List<Double> others,
    List<Untried> untried) {
  /// A candidate that was not measured to the end.
  ///
  /// @param name of it
  /// @param predicted samples a second; 0 if it was not looked at
  /// @param why it was left out
  public record Untried(String name, double predicted, String why) {}

  /// If other processes take more than this share of the processors, measurements are called
  /// unreliable.
  public static final double BUSY = 0.1;

  private static final int PROBE_MEBIBYTES = 64;

  /// {@return what a search on this machine finds}
  ///
  /// @param progress told what is done, one line each
  /// @param stopped whether to end now, with the best so far
  /// @throws IOException if the dataset as it is cannot be loaded
  public static Tuning run(TuneOptions options, Consumer<String> progress, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    Instruments instruments = Instruments.ofMachine();
    Path data = options.work().resolve("data");
    Files.createDirectories(data);
    try (var runner = new Runner(data, false, instruments)) {
      return new Tuner(
              options,
              runner,
              instruments,
              folder -> DiskProbe.of(folder, PROBE_MEBIBYTES).bytesPerSecond(),
              trial -> {
                var counting = new ThrottledStore(Store.LOCAL, Platform.MEMORY);
                try (Dataset few = runner.open(trial, counting)) {
                  Glance glance = Glance.at(few, trial, options.seconds());
                  return Costs.of(glance, requests(few, trial, counting));
                }
              },
              stopped)
          .run(progress);
    } finally {
      Files.deleteIfExists(options.work().resolve("runs.jsonl"));
      Files.deleteIfExists(data);
      Files.deleteIfExists(options.work());
    }
  }

  /// {@return requests in which a sample is read by itself}
  private static double requests(Dataset data, Trial trial, ThrottledStore counting)
      throws IOException {
    if (!data.indexed() || trial.get(Key.ENCODING).startsWith("pyramid")) {
      return 1; // of a pyramid one level is read
    }
    long before = counting.requests();
    try (Dataset.SampleReader reader = data.openReader();
        var sample = new Sample(new Block(MemoryBudget.unbounded()))) {
      for (long i = data.size() - 1; i >= 0; i--) {
        reader.read(i, sample);
      }
    } catch (CorruptDataException e) {
      return 1; // loading says what is wrong
    }
    return Math.max(1, Math.rint((double) (counting.requests() - before) / data.size()));
  }

  public Tuning {
    results = List.copyOf(results);
    others = List.copyOf(others);
    untried = List.copyOf(untried);
  }

  /// {@return the largest spread of a candidate's repeats, see [Result#spread]}
  public double spread() {
    return results.stream().mapToDouble(Result::spread).max().orElse(0);
  }

  /// {@return the mean share of the processors that other processes took; NaN if not known}
  public double othersMean() {
    return others.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  /// {@return the highest of these shares; NaN if not known}
  public double othersMost() {
    return others.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
  }

  /// {@return how far the figures can be trusted: how much repeats differ, and what else the
  /// machine did}
  public String conditions() {
    int repeats = results.getFirst().rates().size();
    String spread =
        repeats == 1
            ? "Each rate was measured once: how much repeats would differ is not known."
            : format(
                "Repeats of a candidate differ by up to %.0f %% (highest and lowest of %d).",
                100 * spread(), repeats);
    if (Double.isNaN(othersMost())) {
      return spread + " What other processes did is not known on this system.";
    }
    String load =
        format(
            " Other processes took %.0f %% of the processors on average, %.0f %% at most.",
            100 * othersMean(), 100 * othersMost());
    return spread
        + load
        + (othersMost() < BUSY
            ? ""
            : " The machine is busy: rates are lower than they would be, and close ones cannot be"
                + " told apart. Tune again when it is idle.");
  }
}
