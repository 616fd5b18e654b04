package io.headrace.cli;

import io.headrace.cli.options.LoaderOptions;
import io.headrace.cli.options.Source;
import io.headrace.cli.print.Table;
import io.headrace.cli.print.Terminal;
import io.headrace.cli.print.Units;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.lab.profile.Profile;
import io.headrace.lab.profile.Profile.Strategy;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.sweep.Sweeper;
import io.headrace.lab.trial.CacheLevel;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import io.headrace.spec.Spec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

@Command(
    name = "profile",
    mixinStandardHelpOptions = true,
    description =
        "Measures where to cut a pipeline into steps done once and steps done in every epoch, under"
            + " every compression and cache level, as PRESTO does; the best comes last.",
    footer = {
      "",
      "Example:  headrace profile photos/train \\",
      "            --pipeline resize_shorter=256,random_crop=224,center \\",
      "            --compression none --compression zlib --compression zstd --csv profile.csv"
    })
final class ProfileCommand implements Callable<Integer> {
  @Mixin private Source source = new Source();

  @Mixin private LoaderOptions loading = new LoaderOptions();

  @Option(
      names = "--pipeline",
      paramLabel = "STEPS",
      defaultValue = "resize_shorter=256,random_crop=224,center",
      description = "The whole pipeline (${DEFAULT-VALUE}); see load --help.")
  private String pipeline = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "What is converted to, spelt as in convert (${DEFAULT-VALUE}).")
  private String format = "tfrecord";

  @Option(
      names = "--compression",
      paramLabel = "SPEC",
      description = "Compressions of it, one each time; none, zlib, gzip, zstd if not given.")
  private List<String> compressions = List.of("none", "zlib", "gzip", "zstd");

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      description =
          "cold, page-cache or application-cache, one each time; cold and page-cache if not given.")
  private List<String> levels = List.of("cold", "page-cache");

  @Option(
      names = "--application-cache",
      paramLabel = "CACHE",
      description = "The loader's own cache at that level (${DEFAULT-VALUE}).")
  private String cache = "minio:1GiB";

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description = "How files are read; see load --help.")
  private String store = "page";

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Samples to profile on, spread over the dataset; 0 for all (${DEFAULT-VALUE}).")
  private int samples = 512;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "Runs of each that count, after a warm-up (${DEFAULT-VALUE}).")
  private int repeats = Sweep.REPEATS;

  @Option(
      names = "--weights",
      paramLabel = "P:S:T",
      description =
          "How much preprocessing time, storage and throughput count in the ranking"
              + " (${DEFAULT-VALUE}).")
  private String weights = "0:0:1";

  @Option(names = "--csv", paramLabel = "FILE", description = "Write a row for each run.")
  private @Nullable Path csv;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "The file of runs; what it has is not run again (${DEFAULT-VALUE}).")
  private Path out = Path.of("runs.jsonl");

  @picocli.CommandLine.Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter printer = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Profile.Weights ranking = Profile.Weights.parse(weights);
    List<CacheLevel> wanted =
        levels.stream().map(word -> Spec.choice("level", CacheLevel.values(), word)).toList();
    if (samples < 0) {
      throw new ConfigException("samples " + samples + ": expected at least 0");
    }
    long whole;
    Path work = Files.createTempDirectory("headrace-profile");
    try (Dataset dataset = source.open();
        var _ = new Warnings(err, dataset);
        var runner = new Runner(work, false)) {
      whole = dataset.size();
      Trial loaded = source.trial(loading.trial(source.path()));
      Trial trial =
          loaded
              .with(Key.PIPELINE, pipeline)
              .with(Key.STORE, store)
              .with(Key.SAMPLES, samples)
              .with(Key.SHARDS, loaded.number(Key.THREADS));
      Sweep sweep = Profile.sweep(trial, format, compressions, wanted, cache).repeats(repeats);
      Runs runs = new Sweeper(runner, new Terminal(err)::say).run(sweep, out);
      Profile profile = Profile.of(runs, ranking);
      print(printer, profile, whole);
      if (csv != null) {
        Files.writeString(csv, profile.csv());
      }
    } finally {
      Files.deleteIfExists(work);
    }
    printer.println();
    printer.println("runs: " + out + (csv == null ? "" : ", CSV: " + csv));
    printer.flush();
    return Exit.DONE;
  }

  /// @param whole samples of the whole dataset, which sizes and times ahead are scaled to; or -1
  private static void print(PrintWriter out, Profile profile, long whole) {
    var table =
        new Table("strategy", "level", "storage", "saved", "ahead", "epoch", "samples/s", "score");
    for (Strategy one : profile.strategies()) {
      double scale = whole > 0 ? (double) whole / one.samples() : 1;
      table.row(
          one.cut() + (one.compression().equals("none") ? "" : " " + one.compression()),
          one.level().word(),
          Units.size(scale * one.storageBytes()),
          saved(profile, one),
          seconds(scale * one.offlineSeconds()),
          seconds(scale * one.onlineSeconds()),
          Units.rate(one.rate()),
          String.format(Locale.ROOT, "%.3f", one.score()));
    }
    table.print(out);
  }

  /// {@return the share of bytes that compression saves of the same cut}
  private static String saved(Profile profile, Strategy one) {
    return profile.strategies().stream()
        .filter(other -> other.cut().equals(one.cut()) && other.level() == one.level())
        .filter(other -> other.compression().equals("none"))
        .findFirst()
        .filter(plain -> !one.compression().equals("none"))
        .map(plain -> Math.round(100 * (1 - one.storageBytes() / plain.storageBytes())) + " %")
        .orElse("");
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, seconds < 100 ? "%.2f s" : "%,.0f s", seconds);
  }
}
