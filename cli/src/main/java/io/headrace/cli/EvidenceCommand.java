package io.headrace.cli;

import io.headrace.cli.print.Terminal;
import io.headrace.lab.experiment.Bench;
import io.headrace.lab.experiment.EvidencePage;
import io.headrace.lab.experiment.Experiment;
import io.headrace.lab.experiment.Experiments;
import io.headrace.lab.experiment.Finding;
import io.headrace.lab.experiment.PapersPage;
import io.headrace.lab.machine.Machine;
import io.headrace.lab.report.HtmlReport;
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
    name = "evidence",
    mixinStandardHelpOptions = true,
    description = {
      "Runs all experiments of the papers, and writes what came of each claim: a page",
      "of all rows, and an HTML report with every figure beside the papers' numbers.",
      "An experiment that fails does not stop the others; the same command goes on",
      "where it was interrupted."
    },
    footer = {
      "",
      "Example:  headrace evidence --sounds recordings",
      "          headrace evidence --size full --data photos/train --sounds recordings"
    })
final class EvidenceCommand implements Callable<Integer> {
  @Mixin private BenchOptions on = new BenchOptions();

  @Option(
      names = "--papers",
      paramLabel = "FILE",
      description = "Where the page of all rows goes; papers.md in --out if not given.")
  private @Nullable Path papers;

  @Option(names = "--keep", description = "Keep converted data, in work below --out.")
  private boolean keep;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    var status = new Terminal(spec.commandLine().getErr());
    Path page = papers == null ? on.out().resolve("papers.md") : papers;
    Map<String, String> machine = Machine.facts();
    machine.put("Command", "headrace evidence" + on.words());
    List<Finding> findings = new ArrayList<>();
    try (Bench bench = on.open(status::say)) {
      for (Experiment experiment : Experiments.all()) {
        long start = System.nanoTime();
        Finding finding = Finding.of(experiment, bench);
        findings.add(finding);
        status.say("");
        out.printf(
            Locale.ROOT,
            "%-16s %2d of %2d claims hold, %.0f s%s%n",
            experiment.name(),
            finding.holding(),
            finding.verdicts().size(),
            (System.nanoTime() - start) / 1e9,
            finding.failure().isEmpty() ? "" : "; failed: " + finding.failure());
        out.flush();
        // after each experiment, so that what is killed has left what it knew
        HtmlReport.write(EvidencePage.report(findings, machine), on.out().resolve("evidence.html"));
      }
      if (!keep) {
        bench.clear();
      }
    }
    Files.writeString(page, PapersPage.of(findings, machine));
    out.println();
    out.println("report: " + on.out().resolve("evidence.html") + ", rows: " + page);
    out.flush();
    return findings.stream().allMatch(f -> f.failure().isEmpty()) ? Exit.DONE : Exit.FAILED;
  }
}
