package io.headrace.cli;

import io.headrace.cli.options.ConsumerCommand;
import io.headrace.cli.options.DeliveryOptions;
import io.headrace.cli.options.Opening;
import io.headrace.cli.options.PythonScript;
import io.headrace.cli.print.Json;
import io.headrace.cli.print.Table;
import io.headrace.cli.print.Terminal;
import io.headrace.cli.print.TuneOutput;
import io.headrace.cli.print.Units;
import io.headrace.convert.target.Representation;
import io.headrace.error.ConfigException;
import io.headrace.lab.diagnose.Diagnoser;
import io.headrace.lab.diagnose.Diagnosis;
import io.headrace.lab.diagnose.Diagnosis.WhatIf;
import io.headrace.lab.machine.Machine;
import io.headrace.lab.model.Prediction.Bound;
import io.headrace.lab.trial.Instruments;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Runner;
import io.headrace.spec.Bytes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "diagnose",
    mixinStandardHelpOptions = true,
    description = {
      "Says whether a trainer waits for data, why, and what would end it.",
      "Give the options of load that the trainer is fed with today."
    },
    footer = {
      "",
      "Example:  headrace diagnose photos/train --consumer resnet50",
      "          headrace diagnose photos/train --consumer 900/s --store hdd",
      "          headrace diagnose --python train.py --consumer resnet50",
      "          (the DataLoader, or another iterable of batches, that a script makes)"
    })
final class Diagnose implements Callable<Integer> {
  private static final double CACHE_SHARE = 0.75;

  @Parameters(
      paramLabel = "DATASET",
      arity = "0..1",
      description =
          "An image folder (ROOT/CLASS/NAME.ext), a folder of shards, one shard or a pattern; none"
              + " with --python")
  private @Nullable Path dataset;

  @Mixin private Opening opening = new Opening();

  @Mixin private DeliveryOptions feeding = new DeliveryOptions();

  @Option(
      names = "--consumer",
      paramLabel = "RATE",
      required = true,
      description =
          "The trainer's own rate: 4155/s, a preset such as resnet50, several, 4*resnet50, or the"
              + " command that trains, 'python train.py', whose rate is then measured.")
  private String consumer = "";

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Memory that may hold data between epochs; three quarters of the machine's.")
  private @Nullable String memory;

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Samples to run on, spread over the dataset (${DEFAULT-VALUE}).")
  private int samples = 512;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "Runs of each kind, in turn; medians count (${DEFAULT-VALUE}).")
  private int repeats = 3;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Least seconds of each run (${DEFAULT-VALUE}).")
  private double seconds = 1;

  @Option(
      names = "--python",
      paramLabel = "SCRIPT",
      description =
          "Diagnose the batches of a Python script instead: its variable or function loader,"
              + " train_loader, dataloader or batches, or --iterable NAME.")
  private @Nullable Path python;

  @Option(
      names = "--iterable",
      paramLabel = "NAME",
      description = "With --python: the name of the iterable, or of a function that makes it.")
  private @Nullable String iterable;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    consumer = ConsumerCommand.rate(consumer);
    if (python != null) {
      if (dataset != null) {
        throw new ConfigException(
            "--python has a dataset of its own: leave %s out".formatted(dataset));
      }
      return PythonScript.diagnose(spec, python, iterable, consumer, seconds * repeats, json);
    }
    if (dataset == null || iterable != null) {
      throw new ConfigException(
          dataset == null
              ? "nothing to diagnose: expected a DATASET, or --python SCRIPT"
              : "--iterable is for --python");
    }
    PrintWriter out = spec.commandLine().getOut();
    var options =
        new Diagnoser.Options(
            opening
                .trial(feeding.trial(dataset, opening.over(feeding.planned())))
                .with(Key.CONSUMER, consumer),
            samples,
            memory == null ? (long) (Machine.memoryBytes() * CACHE_SHARE) : Bytes.parse(memory),
            repeats,
            seconds,
            candidates());
    Path work = Files.createTempDirectory("headrace-diagnose");
    Path runs = work.resolve("runs.jsonl");
    Instruments instruments = Instruments.ofMachine();
    try (var runner = new Runner(work.resolve("data"), false, instruments)) {
      Diagnosis found =
          new Diagnoser(
                  options,
                  runner,
                  instruments,
                  runs,
                  new Terminal(spec.commandLine().getErr())::say)
              .run();
      if (json) {
        Json.print(out, view(found));
      } else {
        print(out, found);
      }
    } finally {
      Files.deleteIfExists(runs);
      Files.deleteIfExists(work.resolve("data"));
      Files.deleteIfExists(work);
    }
    out.flush();
    return Exit.DONE;
  }

  /// {@return what is predicted for besides today's representation: the same pixels cheaper to
  /// decode, smaller ones, and none to decode}
  private static List<Representation> candidates() {
    return List.of(
        Representation.of("race", "none", "tiled", "keep"),
        Representation.of("race", "none", "jpeg:75", "keep"),
        Representation.of("race", "none", "raw", "keep"));
  }

  private static void print(PrintWriter out, Diagnosis found) {
    var rates = new Table("rate", "samples/s", "");
    rates.row("ingest: the trainer's own", Units.rate(found.ingest()), "");
    rates.row("prep: data in memory, no trainer", Units.rate(found.prep()), "");
    rates.row("fetch: encoded samples from the store", Units.rate(found.fetch()), "");
    rates.row("trainer, data in memory", Units.rate(found.inMemory()), "");
    rates.row(
        "trainer, as it is",
        Units.rate(found.actual()),
        "predicted " + Units.rate(found.predicted().rate()));
    rates.print(out);
    out.println();
    out.printf(
        Locale.ROOT,
        "An epoch: %.1f %% training, %.1f %% prep stall, %.1f %% fetch stall%n",
        100 * found.work(),
        100 * found.prepStall(),
        100 * found.fetchStall());
    if (found.cacheToEndFetchStall() > 0) {
      out.println(
          "Smallest cache that ends the fetch stall: "
              + Units.size(found.cacheToEndFetchStall())
              + String.format(
                  Locale.ROOT,
                  ", %.0f %% of the dataset",
                  100 * found.cacheToEndFetchStall() / (found.bytes() * found.samples())));
    }
    out.println();
    var table = new Table("what if", "samples/s", "interval", "bound by");
    for (WhatIf whatIf : found.whatIfs()) {
      table.row(
          whatIf.change(),
          Units.rate(whatIf.prediction().rate()),
          Units.rate(whatIf.prediction().low()) + "–" + Units.rate(whatIf.prediction().high()),
          whatIf.prediction().bound().words());
    }
    table.print(out);
    out.println();
    out.println(TuneOutput.wrap(found.verdict(), 80));
  }

  private static Map<String, @Nullable Object> view(Diagnosis found) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("settings", found.trial().toMap());
    map.put("ingest", found.ingest());
    map.put("prep", found.prep());
    map.put("fetch", found.fetch());
    map.put("in_memory", found.inMemory());
    map.put("actual", found.actual());
    map.put("predicted", found.predicted().rate());
    map.put("work_share", found.work());
    map.put("prep_stall_share", found.prepStall());
    map.put("fetch_stall_share", found.fetchStall());
    map.put("bottleneck", found.bottleneck());
    map.put("cache_to_end_fetch_stall", found.cacheToEndFetchStall());
    map.put("costs", found.costs());
    List<Object> whatIfs = new ArrayList<>();
    found.whatIfs().forEach(whatIf -> whatIfs.add(view(whatIf)));
    map.put("what_if", whatIfs);
    WhatIf remedy = found.remedy();
    map.put("remedy", remedy == null ? null : view(remedy));
    map.put("verdict", found.verdict());
    return map;
  }

  private static Map<String, Object> view(WhatIf whatIf) {
    Map<String, Object> limits = new LinkedHashMap<>();
    for (Bound bound : Bound.values()) {
      double limit = whatIf.prediction().limit(bound);
      if (Double.isFinite(limit)) {
        limits.put(bound.name().toLowerCase(Locale.ROOT), limit);
      }
    }
    return Map.of(
        "kind", whatIf.kind(),
        "change", whatIf.change(),
        "predicted", whatIf.prediction().rate(),
        "low", whatIf.prediction().low(),
        "high", whatIf.prediction().high(),
        "limits", limits,
        "command", whatIf.command());
  }
}
