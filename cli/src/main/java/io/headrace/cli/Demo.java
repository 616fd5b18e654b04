package io.headrace.cli;

import io.headrace.convert.ConvertOptions;
import io.headrace.convert.ConvertReport;
import io.headrace.convert.Converter;
import io.headrace.convert.Representation;
import io.headrace.convert.Verifier;
import io.headrace.error.ConfigException;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.inspect.Inspection;
import io.headrace.lab.inspect.Inspector;
import io.headrace.lab.machine.Machine;
import io.headrace.lab.report.HtmlReport;
import io.headrace.lab.report.ReportData.EpochRow;
import io.headrace.lab.tune.Candidates;
import io.headrace.lab.tune.PlanFile;
import io.headrace.lab.tune.TuneOptions;
import io.headrace.lab.tune.Tuner;
import io.headrace.lab.tune.Tuning;
import io.headrace.lab.tune.TuningReport;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.plan.LoadOptions;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
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
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Does the whole job once: inspects real photos, tries representations, picks one, converts,",
      "verifies, and loads at the new rate. Ends with a table, advice and an HTML report."
    },
    footer = {"", "Example:  headrace demo --data photos/train --storage 20GiB"})
final class Demo implements Callable<Integer> {
  private static final int SAMPLES = 256;
  private static final int REPEATS = 3;
  private static final double SECONDS = 1;
  private static final int EPOCHS = 3;

  /// What the demo allows when nothing is said: raw pixels of photos take 14 times their JPEGs.
  private static final int STORAGE_FACTOR = 16;

  @Option(
      names = "--data",
      paramLabel = "DATASET",
      description = "Use this dataset, not the embedded photos.")
  private @Nullable Path data;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "out/demo",
      description = "Where results go (${DEFAULT-VALUE}); what an earlier demo left is replaced.")
  private Path folder = Path.of("out/demo");

  @Mixin private LimitOptions limiting = new LimitOptions();

  @Mixin private DecodingOptions precision = new DecodingOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  Demo() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Path source = data == null ? embedded() : data;
    String label = data == null ? "samples/photos" : data.toString();
    DemoFolder.clear(folder);
    try (Dataset dataset = Datasets.open(source)) {
      dataset.warnings().forEach(warning -> err.println("warning: " + warning));
      Inspection found = Inspector.inspect(dataset, false);
      out.printf(
          Locale.ROOT,
          "1. %s: %,d samples in %d classes, %s, median %d × %d%n",
          label,
          found.samples(),
          found.classes().size(),
          Units.size(found.storedBytes()),
          found.widths().median(),
          found.heights().median());
      out.println("2. Trying representations, each measured on a sample …");
      out.flush();
      Pipeline pipeline = Pipeline.train();
      LoadOptions load = LoadOptions.builder().digest(false).decoding(precision.decoding()).build();
      var options =
          new TuneOptions(
              pipeline,
              load,
              limiting.limitsOr(found.storedBytes() * STORAGE_FACTOR),
              Candidates.standard(),
              SAMPLES,
              REPEATS,
              SECONDS,
              folder.resolve("samples"));
      Tuning tuning = new Tuner(dataset, options).run(new Status(err)::say);
      Path plan = folder.resolve("plan.json");
      PlanFile.write(plan, tuning, pipeline.spec());
      List<EpochRow> epochs = new ArrayList<>();
      load(out, "3. Loading the dataset as it is", "original", dataset, pipeline, load, epochs);
      Representation picked = tuning.pick().result().candidate().representation();
      if (picked != null) {
        convertAndLoad(out, err, dataset, picked, pipeline, load, epochs);
      }
      Path report = folder.resolve("report.html");
      Map<String, String> machine = Machine.facts();
      machine.put("Command", "headrace demo" + (data == null ? "" : " --data " + data));
      machine.put("Decoding", load.decoding().label());
      HtmlReport.write(TuningReport.of(tuning, label, machine, epochs), report);
      out.println();
      TuneOutput.print(out, tuning);
      out.println();
      out.println("plan: " + plan + ", report: " + report);
      out.flush();
      return Exit.DONE;
    }
  }

  private void convertAndLoad(
      PrintWriter out,
      PrintWriter err,
      Dataset dataset,
      Representation picked,
      Pipeline pipeline,
      LoadOptions load,
      List<EpochRow> epochs)
      throws IOException, InterruptedException {
    Path target = folder.resolve("dataset");
    var converter = new Converter(dataset, ConvertOptions.of(target, picked, 4));
    ConvertReport report;
    try (var _ = new Bar(converter.progress(), err)) {
      report = converter.run();
    }
    out.printf(
        Locale.ROOT,
        "4. Converted to %s: %,d samples, %s, %.1f s%n",
        picked.label(),
        report.written(),
        Units.size(report.fileBytes()),
        report.seconds());
    try (Dataset converted = Datasets.open(target)) {
      Verifier.Report verified = Verifier.verify(converted, false);
      out.printf(
          Locale.ROOT,
          "5. Verified: %,d samples sound, %s%n",
          verified.samples(),
          verified.faults().isEmpty() ? "no faults" : verified.faults().size() + " faults");
      load(out, "6. Loading the converted dataset", "converted", converted, pipeline, load, epochs);
    }
  }

  private static void load(
      PrintWriter out,
      String what,
      String name,
      Dataset dataset,
      Pipeline pipeline,
      LoadOptions options,
      List<EpochRow> epochs)
      throws IOException {
    try (var loader = new Loader(dataset, pipeline, options)) {
      for (int number = 0; number < EPOCHS; number++) {
        EpochReport report = EpochRun.whole(loader, number);
        double stalled =
            report.stages().stream()
                .filter(s -> s.stage() == Stage.STALL)
                .mapToDouble(StageReading::seconds)
                .sum();
        epochs.add(
            new EpochRow(
                name + ", epoch " + (number + 1),
                report.samplesPerSecond(),
                Math.min(1, stalled / report.seconds()),
                report.bottleneck().label()));
        if (number == EPOCHS - 1) {
          out.printf(
              Locale.ROOT,
              "%s: %s samples/s, bottleneck %s%s%n",
              what,
              Units.rate(report.samplesPerSecond()),
              report.bottleneck().label(),
              report.verified() ? ", each sample once" : "");
        }
      }
    }
    out.flush();
  }

  private static Path embedded() {
    String home = System.getenv("HEADRACE_HOME");
    Path photos = Path.of(home == null ? "." : home, "samples", "photos");
    if (!Files.isDirectory(photos)) {
      throw new ConfigException("no embedded photos at " + photos + ": give --data");
    }
    return photos;
  }
}
