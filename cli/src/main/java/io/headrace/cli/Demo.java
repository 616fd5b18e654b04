package io.headrace.cli;

import io.headrace.cli.options.DecodingOptions;
import io.headrace.cli.options.LimitOptions;
import io.headrace.cli.options.Opening;
import io.headrace.cli.print.Terminal;
import io.headrace.cli.print.TuneOutput;
import io.headrace.cli.print.Units;
import io.headrace.cli.watch.Bar;
import io.headrace.convert.Apart;
import io.headrace.convert.ConvertOptions;
import io.headrace.convert.ConvertReport;
import io.headrace.convert.Converter;
import io.headrace.convert.inspect.Verifier;
import io.headrace.convert.target.Representation;
import io.headrace.format.Dataset;
import io.headrace.format.Datasets;
import io.headrace.lab.inspect.Inspection;
import io.headrace.lab.inspect.Inspector;
import io.headrace.lab.machine.Machine;
import io.headrace.lab.report.HtmlReport;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.Summary;
import io.headrace.lab.sweep.Sweep;
import io.headrace.lab.sweep.Sweeper;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Run;
import io.headrace.lab.trial.Runner;
import io.headrace.lab.trial.Trial;
import io.headrace.lab.tune.Candidates;
import io.headrace.lab.tune.PlanFile;
import io.headrace.lab.tune.TuneOptions;
import io.headrace.lab.tune.Tuning;
import io.headrace.lab.tune.TuningReport;
import io.headrace.lab.tune.TuningReport.EpochRow;
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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Does the whole job once: inspects real photos, tries representations, picks one, converts,"
            + " verifies, and loads before and after in turn. Ends with a table, advice, what was"
            + " gained, and an HTML report.",
    footer = {"", "Example:  headrace demo --data photos/train --storage 20GiB"})
final class Demo implements Callable<Integer> {
  private static final int SAMPLES = 256;
  private static final int REPEATS = 3;
  private static final double SECONDS = 1;
  private static final int ROUNDS = 3;

  /// The whole demo is meant to be over in a few minutes.
  private static final double BUDGET_SECONDS = 120;

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
      description = "Where results go (${DEFAULT-VALUE}); what an earlier demo left is replaced.")
  private Path folder = Path.of("out/demo");

  @Mixin private LimitOptions limiting = new LimitOptions();

  @Mixin private DecodingOptions precision = new DecodingOptions();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private Opening opening = new Opening();

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
      Warnings.ofLabels(err, found.samples(), found.unlabelled());
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
      Trial trial =
          opening
              .trial(Trial.of(source))
              .with(Key.PIPELINE, pipeline.spec())
              .with(Key.DECODING, precision.decoding().label());
      var options =
          new TuneOptions(
              trial,
              limiting.limitsOr(found.storedBytes() * STORAGE_FACTOR),
              Candidates.standard(),
              SAMPLES,
              REPEATS,
              SECONDS,
              BUDGET_SECONDS,
              folder.resolve("samples"));
      Tuning tuning = Tuning.run(options, new Terminal(err)::say, () -> false);
      Path plan = folder.resolve("plan.json");
      PlanFile.write(plan, tuning, pipeline.spec(), opening.options(), dataset);
      List<EpochRow> epochs = new ArrayList<>();
      Representation picked = tuning.pick().result().candidate().representation();
      String headline = "Nothing to convert: the dataset as it is feeds the trainer best.";
      if (picked != null) {
        Path target = convert(out, err, dataset, picked);
        headline = compare(out, trial, target, picked, epochs);
      }
      Path report = folder.resolve("report.html");
      Map<String, String> machine = Machine.facts();
      machine.put("Command", "headrace demo" + (data == null ? "" : " --data " + data));
      machine.put("Decoding", trial.get(Key.DECODING));
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
  private String compare(
      PrintWriter out, Trial original, Path target, Representation picked, List<EpochRow> rows)
      throws IOException, InterruptedException {
    Trial converted =
        Trial.of(target)
            .with(Key.PIPELINE, original.get(Key.PIPELINE))
            .with(Key.DECODING, original.get(Key.DECODING));
    Path file = folder.resolve("runs.jsonl");
    Runs runs;
    try (var runner = new Runner(folder.resolve("samples"), false)) {
      runs =
          new Sweeper(runner, what -> {})
              .run(new Sweep("demo", List.of(original, converted), ROUNDS, SECONDS, false), file);
    }
    Summary before = runs.of(original);
    Summary after = runs.of(converted);
    before.runs().forEach(run -> rows.add(row("original", run)));
    after.runs().forEach(run -> rows.add(row("converted", run)));
    out.printf(
        Locale.ROOT,
        "5. Loaded both in turn, %d warm rounds of at least %.0f s each: %s before, %s after%s%n",
        ROUNDS,
        SECONDS,
        rates(before),
        rates(after),
        runs.runs().stream().allMatch(Run::verified) ? "; each sample once an epoch" : "");
    double slowest = after.median(Run::rate).low();
    double fastest = before.median(Run::rate).high();
    return String.format(
        Locale.ROOT,
        "Before %s, after %s samples/s: %.2f times, at %.2f times the bytes, as %s. Medians of %d"
            + " warm rounds over the whole dataset%s.",
        Units.rate(before.rate()),
        Units.rate(after.rate()),
        after.rate() / before.rate(),
        after.bytesPerSample() / before.bytesPerSample(),
        picked.label(),
        ROUNDS,
        slowest > fastest ? "" : "; rounds overlap, so that this is within noise");
  }

  private static String rates(Summary runs) {
    return runs.runs().stream().map(r -> Units.rate(r.rate())).collect(Collectors.joining(", "));
  }

  private static EpochRow row(String name, Run run) {
    return new EpochRow(
        "%s, round %d".formatted(name, run.repeat()),
        run.rate(),
        run.stallShare(),
        run.bottleneck());
  }
}
