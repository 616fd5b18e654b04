package io.headrace.cli;

import io.headrace.error.ConfigException;
import io.headrace.lab.report.HtmlReport;
import io.headrace.lab.sweep.Runs;
import io.headrace.lab.sweep.RunsPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = "Draws a file of runs, such as sweep writes, as one HTML file.",
    footer = {"", "Example:  headrace report runs.jsonl --out runs.html"})
final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "RUNS", description = "A file of runs.")
  private Path file = Path.of("runs.jsonl");

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Where the report goes; beside the runs, with the extension html, if not given.")
  private @Nullable Path out;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Runs runs = Runs.read(file);
    if (runs.summaries().isEmpty()) {
      throw new ConfigException(file + " holds no run that counts");
    }
    String name = String.valueOf(file.getFileName());
    Path target =
        out == null ? file.resolveSibling(name.replaceFirst("\\.jsonl$", "") + ".html") : out;
    HtmlReport.write(RunsPage.of(runs, name, "headrace report " + name), target);
    PrintWriter printer = spec.commandLine().getOut();
    printer.println("report: " + target);
    printer.flush();
    return Exit.DONE;
  }
}
