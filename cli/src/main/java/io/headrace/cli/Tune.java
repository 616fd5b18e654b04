package io.headrace.cli;

import io.headrace.cli.options.LimitOptions;
import io.headrace.cli.options.LoaderOptions;
import io.headrace.cli.options.Seconds;
import io.headrace.cli.options.Source;
import io.headrace.cli.print.Json;
import io.headrace.cli.print.Terminal;
import io.headrace.cli.print.TuneOutput;
import io.headrace.cli.watch.StopNotice;
import io.headrace.error.ConfigException;
import io.headrace.format.Content;
import io.headrace.format.Dataset;
import io.headrace.format.Manifest;
import io.headrace.format.OpenOptions;
import io.headrace.format.Subset;
import io.headrace.lab.inspect.Inspection;
import io.headrace.lab.inspect.Inspector;
import io.headrace.lab.machine.Machine;
import io.headrace.lab.report.HtmlReport;
import io.headrace.lab.trial.Key;
import io.headrace.lab.trial.Trial;
import io.headrace.lab.tune.Candidate;
import io.headrace.lab.tune.Candidates;
import io.headrace.lab.tune.PlanFile;
import io.headrace.lab.tune.TuneOptions;
import io.headrace.lab.tune.Tuning;
import io.headrace.lab.tune.TuningReport;
import io.headrace.pipeline.Pipeline;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description = {
      "Tries representations on a sample, measures each, and picks one within limits.",
      "The plan it writes is what convert --plan and load --plan take."
    },
    footer = {
      "",
      "Example:  headrace tune photos/train --storage 20GiB --consumer 3000",
      "          headrace convert photos/train out/train --plan plan.json"
    })
final class Tune implements Callable<Integer> {
  @Mixin private Source source = new Source();

  @Mixin private LimitOptions limiting = new LimitOptions();

  @Mixin private LoaderOptions loading = new LoaderOptions();

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description =
          "Imitate the storage: hdd, ssd, nvme, s3, 10gbe, or a rate such as 24MB/s; the disk there"
              + " is if not given.")
  private String device = "page";

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Decode workers: as many as --threads, or cores, if not given.")
  private @Nullable Integer cores;

  @Option(
      names = "--candidate",
      paramLabel = "WORDS",
      description =
          "Try this representation, and others given so, instead of the usual ones: 'FORMAT"
              + " COMPRESSION ENCODING [RESIZE|steps=STEPS]', such as 'race none jpeg:75'.")
  private List<String> candidates = List.of();

  @Option(
      names = "--budget",
      paramLabel = "TIME",
      description = "Time to search in, such as 5m (${DEFAULT-VALUE}); Ctrl-C ends it too.")
  private String budget = "5m";

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Samples to try each representation on (${DEFAULT-VALUE}).")
  private int samples = 512;

  @Option(
      names = "--repeats",
      paramLabel = "N",
      description = "Measured epochs of each, in turn; medians count (${DEFAULT-VALUE}).")
  private int repeats = 3;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "1",
      description = "Least seconds of each measurement (${DEFAULT-VALUE}).")
  private double seconds = 1;

  @Option(
      names = "--pipeline",
      paramLabel = "STEPS",
      description = "The trainer's steps on each sample (${DEFAULT-VALUE}); see load --help.")
  private @Nullable String pipeline;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Folder for converted samples; a temporary one if not given.")
  private @Nullable Path work;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where the plan goes (${DEFAULT-VALUE}).")
  private Path plan = Path.of("plan.json");

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write an HTML report with plots too.")
  private @Nullable Path report;

  @Option(names = "--json", description = "Print the plan as one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  /// Samples that are looked at to see whether there are labels.
  private static final int LOOKED_AT = 64;

  private List<Candidate> given() {
    List<Candidate> all = new ArrayList<>(List.of(new Candidate("original", null)));
    candidates.forEach(line -> all.add(Candidates.parse(line)));
    return all;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (samples < 1 || repeats < 1 || !(seconds >= 0)) {
      throw new ConfigException("samples, repeats, seconds: expected at least 1, 1 and 0 of these");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Path folder = work == null ? Files.createTempDirectory("headrace-tune") : work;
    try (Dataset dataset = source.open();
        var _ = new Warnings(err, dataset);
        var stop = new StopNotice(err, "stopping: the best so far is picked", 60)) {
      Content content = Content.ofFirst(dataset);
      Pipeline steps =
          pipeline == null
              ? Pipeline.usual(content, Manifest.stepsOf(dataset))
              : Pipeline.parse(pipeline);
      Trial trial =
          source
              .trial(loading.trial(source.path()))
              .with(Key.PIPELINE, steps.spec())
              .with(Key.STORE, device);
      Inspection some = Inspector.inspect(new Subset(dataset, LOOKED_AT), false);
      Warnings.ofLabels(err, some.samples(), some.unlabelled());
      var options =
          new TuneOptions(
              cores == null ? trial : trial.with(Key.THREADS, cores),
              limiting.limits(),
              candidates.isEmpty() ? Candidates.withLearned(content, steps) : given(),
              samples,
              repeats,
              seconds,
              Seconds.parse(budget),
              folder.resolve("samples"));
      Tuning tuning = Tuning.run(options, new Terminal(err)::say, stop::asked);
      PlanFile.write(plan, tuning, steps.spec(), source.options(OpenOptions.DEFAULT), dataset);
      if (report != null) {
        Map<String, String> machine = Machine.facts();
        machine.put("Command", "headrace tune " + source.path());
        machine.put("Decoding", trial.get(Key.DECODING));
        HtmlReport.write(
            TuningReport.of(
                tuning,
                "How to feed the trainer faster",
                source.path().toString(),
                machine,
                List.of()),
            report);
      }
      if (json) {
        Json.print(
            out,
            PlanFile.toMap(tuning, steps.spec(), source.options(OpenOptions.DEFAULT)),
            dataset);
      } else {
        TuneOutput.print(out, tuning);
        out.println();
        out.println("plan: " + plan + (report == null ? "" : ", report: " + report));
      }
      out.flush();
      return Exit.DONE;
    } finally {
      if (work == null) {
        Files.deleteIfExists(folder);
      }
    }
  }
}
