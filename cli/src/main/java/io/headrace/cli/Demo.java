package io.headrace.cli;

import io.headrace.convert.Apart;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.ConvertReport;
import io.headrace.convert.Converter;
import io.headrace.convert.Representation;
import io.headrace.convert.Verifier;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.inspect.Inspection;
import io.headrace.lab.inspect.Inspector;
import io.headrace.lab.machine.Machine;
import io.headrace.lab.report.HtmlReport;
import io.headrace.lab.tune.Candidates;
import io.headrace.lab.tune.PlanFile;
import io.headrace.lab.tune.Stretch;
import io.headrace.lab.tune.TuneOptions;
import io.headrace.lab.tune.Tuner;
import io.headrace.lab.tune.Tuning;
import io.headrace.lab.tune.TuningReport;
import io.headrace.lab.tune.TuningReport.EpochRow;
import io.headrace.load.EpochReport;
import io.headrace.load.plan.LoadOptions;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
      "verifies, and loads before and after in turn. Ends with a table, advice, what was gained,"
          + " and an",
      "HTML report."
    },
    footer = {"", "Example:  headrace demo --data photos/train --storage 20GiB"})
final class Demo implements Callable<Integer> {
  private static final int SAMPLES = 256;
  private static final int REPEATS = 3;
  private static final double SECONDS = 1;
  private static final int ROUNDS = 3;

  /// Distance of the first epochs of two rounds, so that no epoch is loaded twice.
  private static final long FAR = 1000;

  /// What the demo allows by default: raw pixels of photos take 14 times their JPEGs.
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

  @Mixin private Opening opening = new Opening();

  Demo() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Path source = data == null ? DemoFolder.embedded() : data;
    String label = data == null ? "samples/photos" : data.toString();
    try (Dataset dataset = Datasets.open(source, opening.options());
        var _ = new Warnings(err, dataset)) {
      Apart.require(dataset, folder); // the folder it clears might be its own input
      DemoFolder.clear(folder);
      Inspection found = Inspector.inspect(dataset, false);
      NoLabels.warn(err, found.samples(), found.unlabelled());
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
      PlanFile.write(plan, tuning, pipeline.spec(), opening.options(), dataset);
      List<EpochRow> epochs = new ArrayList<>();
      Representation picked = tuning.pick().result().candidate().representation();
      String headline = "Nothing to convert: the dataset as it is feeds the trainer best.";
      if (picked != null) {
        Path target = convert(out, err, dataset, picked);
        headline = compare(out, dataset, target, picked, pipeline, load, epochs);
      }
      Path report = folder.resolve("report.html");
      Map<String, String> machine = Machine.facts();
      machine.put("Command", "headrace demo" + (data == null ? "" : " --data " + data));
      machine.put("Decoding", load.decoding().label());
      HtmlReport.write(TuningReport.of(tuning, headline, label, machine, epochs), report);
      out.println();
      out.printf(Locale.ROOT, "What was tried, on %,d samples:%n", tuning.sampled());
      out.println();
      TuneOutput.print(out, tuning);
      out.println();
      out.println(TuneOutput.wrap(headline, 80));
      out.println();
      out.println("plan: " + plan + ", report: " + report);
      out.flush();
      return Exit.DONE;
    }
  }

  private Path convert(PrintWriter out, PrintWriter err, Dataset dataset, Representation picked)
      throws IOException, InterruptedException {
    Path target = folder.resolve("dataset");
    var converter = new Converter(dataset, ConvertOptions.of(target, picked, 4));
    ConvertReport report;
    try (var _ = new Bar(converter.progress(), err)) {
      report = converter.run();
    }
    out.printf(
        Locale.ROOT,
        "3. Converted to %s: %,d samples, %s, %.1f s%n",
        picked.label(),
        report.written(),
        Units.size(report.fileBytes()),
        report.seconds());
    try (Dataset converted = Datasets.open(target)) {
      Verifier.Report verified = Verifier.verify(converted, false);
      out.printf(
          Locale.ROOT,
          "4. Verified: %,d samples sound, %s%n",
          verified.samples(),
          verified.faults().isEmpty() ? "no faults" : verified.faults().size() + " faults");
    }
    out.flush();
    return target;
  }

  /// Loads the dataset before and after in turn, once to warm up and then some rounds that count.
  ///
  /// @return the result, in one line
  private static String compare(
      PrintWriter out,
      Dataset original,
      Path target,
      Representation picked,
      Pipeline pipeline,
      LoadOptions load,
      List<EpochRow> rows)
      throws IOException {
    List<Stretch> before = new ArrayList<>();
    List<Stretch> after = new ArrayList<>();
    double bytes;
    try (Dataset converted = Datasets.open(target)) {
      bytes = (double) converted.storedBytes() / original.storedBytes();
      for (int round = 0; round <= ROUNDS; round++) {
        Stretch one = Stretch.of(original, pipeline, load, round * FAR, SECONDS);
        Stretch other = Stretch.of(converted, pipeline, load, round * FAR, SECONDS);
        if (round > 0) {
          before.add(one);
          after.add(other);
        }
      }
    }
    for (int round = 0; round < ROUNDS; round++) {
      rows.add(row("original, round " + (round + 1), before.get(round)));
    }
    for (int round = 0; round < ROUNDS; round++) {
      rows.add(row("converted, round " + (round + 1), after.get(round)));
    }
    out.printf(
        Locale.ROOT,
        "5. Loaded both in turn, %d warm rounds of at least %.0f s each: %s before, %s after%s%n",
        ROUNDS,
        SECONDS,
        rates(before),
        rates(after),
        Stream.concat(before.stream(), after.stream()).allMatch(s -> s.last().verified())
            ? "; each sample once an epoch"
            : "");
    double slow = Stretch.medianRate(before);
    double fast = Stretch.medianRate(after);
    double slowest = after.stream().mapToDouble(Stretch::rate).min().orElseThrow();
    double fastest = before.stream().mapToDouble(Stretch::rate).max().orElseThrow();
    return String.format(
        Locale.ROOT,
        "Before %s, after %s samples/s: %.2f times, at %.2f times the bytes, as %s. Medians of %d"
            + " warm rounds over the whole dataset%s.",
        Units.rate(slow),
        Units.rate(fast),
        fast / slow,
        bytes,
        picked.label(),
        ROUNDS,
        slowest > fastest ? "" : "; rounds overlap, so that this is within noise");
  }

  private static String rates(List<Stretch> stretches) {
    return stretches.stream().map(s -> Units.rate(s.rate())).collect(Collectors.joining(", "));
  }

  private static EpochRow row(String name, Stretch stretch) {
    EpochReport last = stretch.last();
    double stalled =
        last.stages().stream()
            .filter(s -> s.stage() == Stage.STALL)
            .mapToDouble(StageReading::seconds)
            .sum();
    return new EpochRow(
        name, stretch.rate(), Math.min(1, stalled / last.seconds()), last.bottleneck().label());
  }
}
