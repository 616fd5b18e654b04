package io.headrace.cli;

import io.headrace.cli.options.Source;
import io.headrace.cli.print.Table;
import io.headrace.cli.print.Terminal;
import io.headrace.cli.print.Units;
import io.headrace.error.ConfigException;
import io.headrace.lab.model.Errors;
import io.headrace.lab.model.Prediction;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.sweep.Sweeper;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Median;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    description =
        "Measures a grid of ways to feed a trainer, in turn, into a file of runs. What the file"
            + " already has is not run again, so that a sweep that was stopped goes on.",
    footer = {
      "",
      "Example:  headrace sweep photos --with format=tfrecord \\",
      "            --with compression=none --with compression=zstd \\",
      "            --with threads=1 --with threads=2",
      "",
      "Settings and their usual values: see docs/cli.md"
    })
final class SweepCommand implements Callable<Integer> {
  @Mixin private Source source = new Source();

  @Option(
      names = "--with",
      paramLabel = "SETTING=VALUE",
      description =
          "A setting, spelt as the option of convert or load; several of one name are varied, each"
              + " with each value of the others.")
  private List<String> settings = List.of();

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "Runs of each that count, after a warm-up (${DEFAULT-VALUE}).")
  private int repeats = Sweep.REPEATS;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Least seconds of each run (${DEFAULT-VALUE}).")
  private double seconds = 1;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The file of runs (${DEFAULT-VALUE}).")
  private Path out = Path.of("runs.jsonl");

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description =
          "Folder for converted data, which stay there; a temporary one if not given, removed at"
              + " the end.")
  private @Nullable Path work;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter printer = spec.commandLine().getOut();
    Map<Key, List<String>> grid = new LinkedHashMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 0) {
        throw new ConfigException("--with %s: expected SETTING=VALUE".formatted(setting));
      }
      grid.computeIfAbsent(Key.of(setting.substring(0, equals)), key -> new ArrayList<>())
          .add(setting.substring(equals + 1));
    }
    source.open().close(); // says what is wrong before anything is measured
    Sweep sweep = new Sweep("sweep", List.of(trial(grid)), repeats, seconds, false);
    for (Map.Entry<Key, List<String>> values : grid.entrySet()) {
      sweep = sweep.over(values.getKey(), values.getValue().toArray(String[]::new));
    }
    Path folder = work == null ? Files.createTempDirectory("headrace-sweep") : work;
    try (var runner = new Runner(folder, work != null)) {
      Runs runs =
          new Sweeper(runner, new Terminal(spec.commandLine().getErr())::say).run(sweep, out);
      print(printer, runs, sweep.varied());
    } finally {
      if (work == null) {
        Files.deleteIfExists(folder);
      }
    }
    printer.println();
    printer.println("runs: " + out);
    printer.flush();
    return Exit.DONE;
  }

  /// {@return the trial that all others are variations of}: the first value of each setting
  private Trial trial(Map<Key, List<String>> grid) {
    Map<Key, String> first = new LinkedHashMap<>();
    grid.forEach((key, values) -> first.put(key, values.getFirst()));
    return source.trial(new Trial(first));
  }

  private static void print(PrintWriter out, Runs runs, Set<Key> varied) {
    Errors errors = Errors.of(runs, Runtime.getRuntime().availableProcessors());
    var table =
        new Table(
            "trial", "bytes/sample", "samples/s", "95 % of", "bound by", "predicted", "error");
    Set<Key> shown = new LinkedHashSet<>(varied);
    shown.removeAll(Set.of(Key.FORMAT, Key.ENCODING, Key.RESIZE, Key.COMPRESSION, Key.STEPS));
    for (Summary summary : runs.summaries()) {
      Median rate = summary.median(Run::rate);
      Prediction predicted =
          errors.pairs().stream()
              .filter(pair -> pair.runs().equals(summary))
              .map(Errors.Pair::prediction)
              .findFirst()
              .orElse(null);
      table.row(
          summary.trial().label(shown),
          Units.size(summary.bytesPerSample()),
          Units.rate(rate.value()),
          Units.rate(rate.low()) + "–" + Units.rate(rate.high()),
          summary.commonest(Run::bottleneck),
          predicted == null ? "" : Units.rate(predicted.rate()),
          predicted == null
              ? ""
              : String.format(
                  Locale.ROOT, "%+.0f %%", 100 * (predicted.rate() / rate.value() - 1)));
    }
    table.print(out);
    if (!errors.pairs().isEmpty()) {
      out.printf(
          Locale.ROOT,
          "%nPredictions from the others' costs: median error %.0f %%, nine of ten within %.0f"
              + " %%%n",
          100 * errors.median(),
          100 * errors.quantile(0.9));
    }
  }
}
