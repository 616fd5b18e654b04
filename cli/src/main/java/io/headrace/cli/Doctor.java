package io.headrace.cli;

import io.headrace.lab.machine.Finding;
import io.headrace.lab.machine.Machine;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = "Says what was found on this machine, and how to get what is missing.",
    footer = {"", "Example:  headrace doctor --folder /data"})
final class Doctor implements Callable<Integer> {
  @Option(
      names = "--folder",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Folder whose disk is measured (${DEFAULT-VALUE}).")
  private Path folder = Path.of(".");

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  Doctor() {}

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<Finding> findings = Machine.examine(folder);
    if (json) {
      Json.print(out, findings);
    } else {
      for (Finding finding : findings) {
        out.printf(
            "%-4s %-15s %s%n", finding.sound() ? "ok" : "MISS", finding.name(), finding.found());
        if (!finding.sound()) {
          out.printf("     %-15s %s%n", "remedy:", finding.remedy());
        }
      }
    }
    out.flush();
    return findings.stream().allMatch(Finding::sound) ? Exit.DONE : Exit.FAILED;
  }
}
