package io.headrace.cli;

import io.headrace.cli.options.ConsumerCommand;
import io.headrace.cli.options.DeliveryOptions;
import io.headrace.cli.options.Source;
import io.headrace.cli.print.EpochView;
import io.headrace.cli.print.Json;
import io.headrace.cli.print.Units;
import io.headrace.cli.watch.LoadMonitor;
import io.headrace.cli.watch.ProgressOptions;
import io.headrace.codec.ImageSize;
import io.headrace.error.ConfigException;
import io.headrace.error.CorruptDataException;
import io.headrace.error.DecodeException;
import io.headrace.error.Location;
import io.headrace.error.Printable;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Subset;
import io.headrace.lab.inspect.Inspection;
import io.headrace.lab.inspect.Inspector;
import io.headrace.load.ConsumerRate;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.plan.CacheReading;
import io.headrace.load.plan.FidelityReading;
import io.headrace.load.plan.LoadOptions;
import io.headrace.meter.StageReading;
import io.headrace.order.EpochPlan;
import io.headrace.pipeline.Decoding;
import io.headrace.pipeline.Pipeline;
import io.headrace.pipeline.SampleProcessor;
import io.headrace.pipeline.SoundProcessor;
import io.headrace.store.DiskCache;
import io.headrace.store.Places;
import io.headrace.store.RemoteFiles;
import io.headrace.store.Store;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "load",
    mixinStandardHelpOptions = true,
    description = "Loads epochs and says how fast, stage by stage, and what the bottleneck is.",
    footer = {
      "",
      "Example:  headrace load out/train --epochs 2 --batch 128",
      "          headrace load out/train --state run.json --stop-after 100",
      "          (the same command resumes there)",
      "",
      "Pipelines:  train | eval | presto-image | STEP,STEP,…",
      "  steps: decode, resize=HxW, resize_shorter=N, center_crop=N,",
      "         random_resized_crop=N, flip, color_jitter=B:C:S:H, trivial_augment,",
      "         normalize=imagenet, center, random_erasing, mixup=A,",
      "         uint8|float32|float16|bfloat16, hwc|chw and more: headrace steps"
    })
final class Load implements Callable<Integer> {
  /// Samples whose median size counts as the usual one.
  private static final int EXPLAINED_SAMPLES = 256;

  private static final int SKIPPED_SHOWN = 20;

  @Mixin private Source source = new Source();

  @Mixin private DeliveryOptions feeding = new DeliveryOptions();

  @Mixin private ProgressOptions observing = new ProgressOptions();

  @Option(
      names = "--epochs",
      paramLabel = "N",
      description = "Epochs to load: 1 if not given, or as many as the regimen has.")
  private @Nullable Integer epochs;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "Load epochs until so many seconds have passed; the last one is completed.")
  private @Nullable Double seconds;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "Resume where the state in this file says, if it is there, and write to it where loading"
              + " ended.")
  private @Nullable Path state;

  @Option(names = "--stop-after", paramLabel = "N", description = "Stop after so many batches.")
  private long stopAfter = -1;

  @Option(
      names = "--consumer",
      paramLabel = "RATE",
      description =
          "Take batches no faster than a trainer would: a rate such as 12375/s, a preset such as"
              + " resnet50, several, 4*resnet50, or the command that trains, 'python train.py',"
              + " whose rate is then measured; as fast as they come if not given.")
  private String consumer = "none";

  @Option(
      names = "--synthetic",
      description = "Load one batch an epoch and hand it out again: the most a consumer could get.")
  private boolean synthetic;

  @Option(
      names = "--standalone",
      description =
          "Only fetch and decode: no crop, no resize, every picture decoded whole; in place of"
              + " --pipeline.")
  private boolean standalone;

  @Option(
      names = "--explain",
      description = "Say what is done to an image of the usual size, pass by pass, and end.")
  private boolean explain;

  @Option(
      names = "--shuffle-quality",
      description = "Say how well each epoch was mixed, next to a full shuffle.")
  private boolean shuffleQuality;

  @Option(names = "--no-digest", description = "Do not hash pixels.")
  private boolean noDigest;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    LoadOptions.Builder builder = feeding.builder().digest(!noDigest).synthetic(synthetic);
    if (standalone) {
      builder.decoding(Decoding.WHOLE);
    }
    LoadOptions options = builder.build();
    long count = epochs == null ? options.fidelity().epochs() : epochs;
    Double most = seconds;
    if (most != null) {
      if (epochs != null || !(most > 0)) {
        throw new ConfigException(
            "--seconds %s: expected more than 0, and no --epochs beside it".formatted(most));
      }
      count = Long.MAX_VALUE;
    }
    if (shuffleQuality && (state != null || stopAfter >= 0)) {
      throw new ConfigException(
          "--shuffle-quality looks at whole epochs: leave --state and --stop-after out");
    }
    ConsumerRate trainer = ConsumerRate.parse(ConsumerCommand.rate(consumer));
    if (shuffleQuality && !trainer.unbounded()) {
      throw new ConfigException("--shuffle-quality times nothing: leave --consumer out");
    }
    if (count < 1) {
      throw new ConfigException("epochs " + epochs + ": expected at least 1");
    }
    Mixing mixing = shuffleQuality ? new Mixing(options) : null;
    PrintWriter out = spec.commandLine().getOut();
    if (explain) {
      return explain(out, options);
    }
    Store store = feeding.openStore();
    try (Dataset dataset = source.open(store, feeding.planned());
        var warnings = new Warnings(spec.commandLine().getErr(), store, dataset);
        var loader = new Loader(dataset, steps(dataset), options);
        var observed =
            observing.begin(loader, dataset.size(), options, spec.commandLine().getErr())) {
      warnings.say(); // warnings from an index now, since epochs may be long
      ClassOrder.warn(spec.commandLine().getErr(), dataset, options.order(), steps(dataset));
      List<EpochReport> reports = new ArrayList<>();
      List<Map<String, Object>> views = new ArrayList<>();
      RemoteFiles remote = Places.remote(dataset.root());
      var course = new EpochRun(loader, trainer, state, stopAfter);
      if (!json) {
        announce(out, loader.plan(), options);
        loader.layout().fields().forEach(f -> out.println("field " + Printable.of(f.toString())));
      }
      LoadMonitor watch = observed.watch();
      long start = System.nanoTime();
      for (long i = 0; i < count && course.goesOn(); i++) {
        if (most != null && i > 0 && System.nanoTime() - start >= most * 1e9) {
          break;
        }
        DiskCache disk = store instanceof DiskCache kept ? kept : null;
        long hits = disk == null ? 0 : disk.hits();
        long misses = disk == null ? 0 : disk.misses();
        long came = remote == null ? 0 : remote.receivedBytes();
        long asked = remote == null ? 0 : remote.requests();
        EpochReport report =
            mixing == null ? course.run(watch, i + 1 < count) : mixing.run(loader, i, watch);
        observed.clear();
        reports.add(report);
        Map<String, Object> view = view(report, trainer, dataset);
        if (remote != null) {
          view.put("network_bytes", remote.receivedBytes() - came);
          view.put("network_requests", remote.requests() - asked);
        }
        if (disk != null) {
          view.put("disk_cache_hits", disk.hits() - hits);
          view.put("disk_cache_misses", disk.misses() - misses);
          view.put("disk_cache_bytes", disk.usedBytes());
        }
        views.add(view);
        if (i == 0) {
          Warnings.ofLabels(spec.commandLine().getErr(), report.delivered(), report.unlabelled());
        }
        if (!json) {
          print(out, report);
          out.printf("  %-10s %s%n", "store", feeding.storeText());
          if (disk != null) {
            out.printf(
                Locale.ROOT,
                "  %-10s %,d reads from it, %,d past it, %s taken%n",
                "disk cache",
                disk.hits() - hits,
                disk.misses() - misses,
                Units.size(disk.usedBytes()));
          }
          if (remote != null) {
            out.printf(
                Locale.ROOT,
                "  %-10s %s in %,d requests%n",
                "network",
                Units.size(remote.receivedBytes() - came),
                remote.requests() - asked);
          }
          EpochView.print(out, trainer, report);
          if (!report.contradiction().isEmpty()) {
            out.println("  other data " + Printable.of(report.contradiction()));
          }
          if (mixing != null) {
            mixing.print(out);
          }
        }
      }
      if (json) {
        Json.print(out, views);
      } else if (reports.size() > 1) {
        printMean(out, reports);
      }
      course.save();
      out.flush();
      boolean sound =
          reports.stream().allMatch(r -> r.skipped() == 0 && r.contradiction().isEmpty());
      return sound ? Exit.DONE : Exit.BAD_DATA;
    }
  }

  /// Prints the plan for an image of the median size of a few.
  private int explain(PrintWriter out, LoadOptions options) throws IOException {
    try (Dataset dataset = source.open(feeding.openStore(), feeding.planned());
        var _ = new Warnings(spec.commandLine().getErr(), dataset)) {
      Pipeline pipeline = steps(dataset);
      if (pipeline.input() == Pipeline.Input.SOUND) {
        out.print(SoundProcessor.explain(pipeline));
        out.flush();
        return Exit.DONE;
      }
      Inspection found = Inspector.inspect(new Subset(dataset, EXPLAINED_SAMPLES), false);
      var size = new ImageSize((int) found.heights().median(), (int) found.widths().median());
      try {
        out.print(SampleProcessor.explain(pipeline, options.processing(), size));
      } catch (DecodeException e) {
        throw new CorruptDataException(
            e.fault(), String.valueOf(e.getMessage()), Location.of(source.path().toString()), e);
      }
      out.flush();
      return Exit.DONE;
    }
  }

  private Map<String, Object> view(EpochReport report, ConsumerRate trainer, Dataset dataset) {
    Map<String, Object> view = EpochView.of(report);
    EpochView.put(view, trainer, report);
    view.put("store", feeding.storeText());
    view.put("left_out", Json.leftOut(dataset));
    view.put("warnings", dataset.warnings());
    return view;
  }

  private Pipeline steps(Dataset dataset) throws IOException {
    if (!standalone) {
      return feeding.steps(dataset);
    }
    if (feeding.hasSteps()) {
      throw new ConfigException("--standalone has no steps: leave --pipeline and --plan out");
    }
    return Pipeline.parse(
        Content.ofFirst(dataset) == Content.SOUND
            ? "decode,mono,pad_or_trim=frames=1"
            : "center_crop=1,uint8,hwc");
  }

  private static void announce(PrintWriter out, EpochPlan plan, LoadOptions options) {
    if (options.world() > 1 && plan.samples() >= 0) {
      out.printf(
          Locale.ROOT,
          "rank %d of %d: %,d batches an epoch, %s; %,d samples dropped, %,d slots padded in all%n",
          options.rank(),
          options.world(),
          plan.batches(),
          plan.even() ? "as every rank" : "not as every rank",
          plan.dropped(),
          plan.padded());
    }
  }

  /// The size of the samples whose plain reading would cost as much as a regimen's (paper B, table
  /// 9c). A sample that a cache had costs nothing, and counts.
  private static void printMean(PrintWriter out, List<EpochReport> reports) {
    long bytes = 0;
    long delivered = 0;
    for (EpochReport report : reports) {
      bytes += report.bytesRead();
      delivered += report.delivered();
    }
    if (delivered > 0) {
      out.printf(
          Locale.ROOT,
          "%d epochs: %s read for each of %,d samples delivered%n",
          reports.size(),
          Units.size((double) bytes / delivered),
          delivered);
    }
  }

  private static void print(PrintWriter out, EpochReport report) {
    out.printf(
        Locale.ROOT,
        "epoch %d: %,d delivered, %,d skipped%s in %.2f s: %s samples/s, bottleneck %s%s%n",
        report.epoch(),
        report.delivered(),
        report.skipped(),
        report.substituted() == 0
            ? ""
            : String.format(Locale.ROOT, " (%,d substituted)", report.substituted()),
        report.seconds(),
        Units.rate(report.samplesPerSecond()),
        report.bottleneck().label(),
        report.verified() ? ", each sample once" : "");
    for (StageReading stage : report.stages()) {
      out.printf(
          Locale.ROOT,
          "  %-10s %8.2f s%s%s%n",
          stage.stage().name().toLowerCase(Locale.ROOT),
          stage.seconds(),
          stage.cpuSeconds() == 0
              ? ""
              : String.format(Locale.ROOT, " (%.2f s CPU)", stage.cpuSeconds()),
          stage.bytes() == 0
              ? ""
              : String.format(
                  Locale.ROOT,
                  "  %10s  %7.3f ms a sample",
                  Units.size(stage.bytes()),
                  1000 * stage.seconds() / Math.max(1, stage.items())));
    }
    if (report.unlabelled() > 0 && report.unlabelled() < report.delivered()) {
      out.printf(Locale.ROOT, "  %-10s %,d samples have none: -1%n", "labels", report.unlabelled());
    }
    report
        .missing()
        .forEach(
            (name, count) ->
                out.printf(
                    Locale.ROOT,
                    "  %-10s %s: %,d samples have none%n",
                    "fields",
                    Printable.of(name),
                    count));
    report
        .outside()
        .forEach(
            (name, count) ->
                out.printf(
                    Locale.ROOT,
                    "  %-10s %s: %,d rows left out, since they are outside%n",
                    "fields",
                    Printable.of(name),
                    count));
    CacheReading cache = report.cache();
    out.printf(
        Locale.ROOT,
        "  %-10s %s%s%n",
        "decoding",
        report.decoding().label(),
        cache.name().endsWith(":decoded") ? ", as decoded samples are kept" : "");
    out.printf(Locale.ROOT, "  %-10s %s", "storage", Units.size(report.bytesRead()) + " read");
    if (cache.capacity() > 0) {
      out.printf(
          Locale.ROOT,
          "; cache %s: %,d hits, %,d misses%s, hit rate %.3f, predicted %s%s, %s of %s taken",
          cache.name(),
          cache.hits(),
          cache.misses(),
          cache.extended() == 0
              ? ""
              : String.format(Locale.ROOT, " (%,d read in part)", cache.extended()),
          cache.hitRate(),
          Double.isNaN(cache.predicted())
              ? "unknown"
              : String.format(Locale.ROOT, "%.3f", cache.predicted()),
          cache.estimated() ? " (estimate)" : "",
          Units.size(cache.usedBytes()),
          Units.size(cache.capacity()));
    }
    out.println();
    if (report.padded() + report.dropped() > 0) {
      out.printf(
          Locale.ROOT,
          "  %-10s %,d samples dropped, %,d slots padded%n",
          "tail",
          report.dropped(),
          report.padded());
    }
    if (report.fidelities().size() > 1
        || report.fidelities().stream().anyMatch(f -> f.groups() > 1)) {
      for (FidelityReading reading : report.fidelities()) {
        out.printf(
            Locale.ROOT,
            "  %-10s %d: %,d samples read, %s each%n",
            "fidelity",
            reading.groups(),
            reading.samples(),
            Units.size(reading.meanBytes()));
      }
    }
    report.faults().stream()
        .limit(SKIPPED_SHOWN)
        .forEach(f -> out.println("  skipped " + f.where() + ": " + f.fault() + ": " + f.reason()));
    if (report.faults().size() > SKIPPED_SHOWN) {
      out.printf(
          Locale.ROOT,
          "  … and %,d more (--json lists %s)%n",
          report.skipped() - SKIPPED_SHOWN,
          report.skipped() > Epoch.FAULTS_KEPT ? "the first " + Epoch.FAULTS_KEPT : "all");
    }
    out.flush();
  }
}
