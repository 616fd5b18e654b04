package io.headrace.cli;

import io.headrace.cli.options.DeliveryOptions;
import io.headrace.cli.options.Opening;
import io.headrace.cli.print.Json;
import io.headrace.cli.print.Table;
import io.headrace.cli.print.Units;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.model.Costs;
import io.headrace.lab.model.Platform;
import io.headrace.lab.model.Prediction.Bound;
import io.headrace.lab.model.Sizing;
import io.headrace.lab.trial.Glance;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.store.Device;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "size",
    mixinStandardHelpOptions = true,
    description = {
      "Says how many hosts must decode for trainers, and what they need of cores,",
      "network and storage. A sample's costs are measured here, on one thread; the",
      "rest is predicted."
    },
    footer = {
      "",
      "Example:  headrace size out/train --consumer 8*resnet50 --store s3 \\",
      "              --cores 64 --network 25",
      "",
      "The hosts run headrace serve --flight; see docs/sizing.md."
    })
final class SizeCommand implements Callable<Integer> {
  private static final double BYTES_PER_GBIT = 1e9 / 8;

  @Parameters(
      paramLabel = "DATASET",
      description =
          "An image folder (ROOT/CLASS/NAME.ext), a folder of shards, one shard or a pattern")
  private Path dataset = Path.of("");

  @Mixin private Opening opening = new Opening();

  @Mixin private DeliveryOptions feeding = new DeliveryOptions();

  @Option(
      names = "--consumer",
      paramLabel = "RATE",
      required = true,
      description =
          "What all trainers take together: 4155/s, a preset such as resnet50, or several,"
              + " 8*resnet50.")
  private String consumer = "";

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Cores of each host that decodes; as many as this machine has.")
  private int cores = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--network",
      paramLabel = "GBIT",
      defaultValue = "10",
      description = "Gbit/s of each host's network, in each direction (${DEFAULT-VALUE}).")
  private double network = 10;

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Samples to measure, spread over the dataset (${DEFAULT-VALUE}).")
  private int samples = 256;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    if (samples < 1) {
      throw new ConfigException("--samples %d: expected at least 1".formatted(samples));
    }
    Trial trial =
        opening
            .trial(feeding.trial(dataset, opening.over(feeding.planned())))
            .with(Key.CONSUMER, consumer)
            .with(Key.SAMPLES, samples);
    Device device = Device.find(trial.get(Key.STORE));
    Platform platform = Platform.of(cores);
    var host =
        new Sizing.Host(
            device == null ? platform : platform.with(device), network * BYTES_PER_GBIT);
    long count;
    Sizing found;
    try (Dataset data = Datasets.open(dataset, opening.over(feeding.planned()));
        var _ = new Warnings(spec.commandLine().getErr(), data)) {
      count = data.size();
      Costs costs = Costs.of(Glance.at(data, trial, 1), 1);
      found = Sizing.of(trial, costs, host, count);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(out, view(found, count));
    } else {
      print(out, found, count);
    }
    out.flush();
    return Exit.DONE;
  }

  private void print(PrintWriter out, Sizing found, long count) {
    double cpu = found.cores() / found.rate();
    var table = new Table("all together", "", "a sample");
    table.row("trainers take", Units.rate(found.rate()) + " samples/s", "");
    table.row(
        "cores that decode",
        Units.rate(found.cores()),
        String.format(Locale.ROOT, "%.0f µs of CPU", 1e6 * cpu));
    table.row(
        "from storage", Units.size(found.storeBytes()) + "/s", Units.size(found.costs().bytes()));
    table.row("to trainers", gbit(found.networkBytes()), Units.size(found.delivered()));
    table.row(
        "stored, " + String.format(Locale.ROOT, "%,d samples", count),
        Units.size(count * found.costs().bytes()),
        "");
    table.print(out);
    out.println();
    out.printf(
        Locale.ROOT,
        "%d host%s of %d cores and %s each, bound by %s:%n",
        found.hosts(),
        found.hosts() == 1 ? "" : "s",
        cores,
        gbit(found.host().bytesPerSecond()),
        bound(found));
    out.printf(
        Locale.ROOT,
        "  each could deliver %s samples/s (%s–%s),%n"
            + "  and has to send %s and to read %s/s, with --readers %d%n",
        Units.rate(found.each().rate()),
        Units.rate(found.each().low()),
        Units.rate(found.each().high()),
        gbit(found.networkBytes() / found.hosts()),
        Units.size(found.storeBytes() / found.hosts()),
        found.readers());
  }

  private static String bound(Sizing found) {
    return found.boundByNetwork() ? "the network" : found.each().bound().words();
  }

  private static String gbit(double bytesPerSecond) {
    return String.format(Locale.ROOT, "%.1f Gbit/s", bytesPerSecond / BYTES_PER_GBIT);
  }

  private Map<String, Object> view(Sizing found, long count) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("samples_per_second", found.rate());
    map.put("cores", found.cores());
    map.put("storage_bytes_per_second", found.storeBytes());
    map.put("network_bytes_per_second", found.networkBytes());
    map.put("stored_bytes", count * found.costs().bytes());
    map.put("stored_bytes_per_sample", found.costs().bytes());
    map.put("delivered_bytes_per_sample", found.delivered());
    map.put("cpu_seconds_per_sample", found.cores() / found.rate());
    map.put("hosts", found.hosts());
    map.put("cores_per_host", cores);
    map.put("network_gbit_per_host", network);
    map.put("readers_per_host", found.readers());
    map.put("predicted_per_host", found.each().rate());
    map.put("low", found.each().low());
    map.put("high", found.each().high());
    Map<String, Object> limits = new LinkedHashMap<>();
    for (Bound bound : Bound.values()) {
      double limit = found.each().limit(bound);
      if (Double.isFinite(limit)) {
        limits.put(bound.name().toLowerCase(Locale.ROOT), limit);
      }
    }
    limits.put("network", found.host().bytesPerSecond() / found.delivered());
    map.put("limits_per_host", limits);
    map.put("bound", bound(found));
    return map;
  }
}
