package io.headrace.cli;

import io.headrace.cli.print.Json;
import io.headrace.cli.print.Terminal;
import io.headrace.cli.print.TuneOutput;
import io.headrace.lab.experiment.Bench;
import io.headrace.lab.experiment.Claim;
import io.headrace.lab.experiment.EvidencePage;
import io.headrace.lab.experiment.Experiment;
import io.headrace.lab.experiment.Experiments;
import io.headrace.lab.experiment.Finding;
import io.headrace.lab.experiment.Verdict;
import io.headrace.lab.machine.Machine;
import io.headrace.lab.report.HtmlReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "experiment",
    mixinStandardHelpOptions = true,
    description = {
      "Runs one experiment of the papers and says of each claim whether it holds here.",
      "What is measured is kept in --out; the same command goes on where it stopped."
    },
    footer = {
      "",
      "Example:  headrace experiment list",
      "          headrace experiment zlib-strategies",
      "          headrace experiment liquid --data photos/train --size full"
    })
final class ExperimentCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME|list", description = "Which experiment; list names them all.")
  private String name = "list";

  @Mixin private BenchOptions on = new BenchOptions();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (name.equals("list")) {
      list(out);
      return Exit.DONE;
    }
    Experiment experiment = Experiments.named(name);
    var status = new Terminal(err);
    Finding finding;
    try (Bench bench = on.open(status::say)) {
      finding = Finding.of(experiment, bench);
    }
    status.say("");
    Map<String, String> machine = Machine.facts();
    machine.put("Command", "headrace experiment " + name + on.words());
    Path report = on.out().resolve(name + ".html");
    HtmlReport.write(EvidencePage.report(List.of(finding), machine), report);
    if (json) {
      Json.print(out, EvidencePage.rows(List.of(finding)));
    } else {
      print(out, finding);
      out.println();
      out.println("report: " + report + ", runs: " + on.out().resolve("runs"));
    }
    out.flush();
    return finding.failure().isEmpty() ? Exit.DONE : Exit.FAILED;
  }

  private void list(PrintWriter out) {
    if (json) {
      Json.print(
          out,
          Experiments.withOwn().stream()
              .map(
                  e ->
                      Map.of(
                          "name",
                          e.name(),
                          "question",
                          e.question(),
                          "claims",
                          e.claims().stream().map(Claim::id).toList()))
              .toList());
      out.flush();
      return;
    }
    for (Experiment experiment : Experiments.withOwn()) {
      out.println(experiment.name());
      out.println("  " + experiment.question());
      out.println(
          "  claims "
              + experiment.claims().stream().map(Claim::id).collect(Collectors.joining(", ")));
    }
    out.flush();
  }

  /// Prints the verdicts of an experiment.
  static void print(PrintWriter out, Finding finding) {
    out.println(finding.experiment().name() + ": " + finding.experiment().question());
    if (!finding.failure().isEmpty()) {
      out.println("failed: " + finding.failure());
    }
    List<Claim> claims = finding.experiment().claims();
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Verdict verdict = finding.verdicts().get(i);
      out.println();
      out.println(indented(claim.id(), claim.says()));
      String numbers =
          (claim.paper().isEmpty() ? "" : "paper: " + claim.paper() + "; ")
              + (verdict.measured().isEmpty() ? "" : "here: " + verdict.measured() + "; ");
      out.println(indented("", numbers + verdict.outcome().words() + ": " + verdict.reason()));
    }
  }

  /// {@return a text of 80 columns, all of whose lines begin in the sixth}
  private static String indented(String head, String text) {
    return "%-5s".formatted(head) + TuneOutput.wrap(text, 75).replace("\n", "\n     ");
  }
}
