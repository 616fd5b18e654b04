package io.headrace.cli;

import io.headrace.cli.print.Json;
import io.headrace.lab.machine.Finding;
import io.headrace.lab.machine.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
      description = "Folder whose disk is measured (${DEFAULT-VALUE}).")
  private Path folder = Path.of(".");

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<Finding> findings = new ArrayList<>(Machine.examine(folder));
    findings.add(
        torch(
            System.getenv("PYTORCH_LIBRARY_PATH"),
            Path.of(Objects.requireNonNullElse(System.getenv("HEADRACE_HOME"), ".")),
            Files.exists(Path.of("/proc/driver/nvidia/version"))));
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

  /// {@return whether networks can be trained here}
  ///
  /// @param given the variable PYTORCH_LIBRARY_PATH; null if it is not set
  /// @param home where headrace lies
  /// @param cuda whether the machine has an accelerator of NVIDIA
  static Finding torch(@Nullable String given, Path home, boolean cuda) {
    if (given != null && !given.isEmpty()) {
      return Files.exists(Path.of(given, "libtorch.so"))
          ? Finding.sound("libtorch", "PYTORCH_LIBRARY_PATH: " + given)
          : Finding.missing(
              "libtorch",
              "no libtorch.so in PYTORCH_LIBRARY_PATH " + given,
              "set it to the folder torch/lib of a PyTorch 2.7.1, or unset it");
    }
    String hint =
        cuda ? "; for CUDA set PYTORCH_LIBRARY_PATH to the torch/lib of a PyTorch 2.7.1" : "";
    if (!Files.isRegularFile(home.resolve("train/pom.xml"))) {
      return Finding.sound("libtorch", "not here: headrace train is part of the source tree");
    }
    boolean fetched;
    try (Stream<Path> jars = Files.list(home.resolve("train/target/lib"))) {
      fetched = jars.anyMatch(jar -> jar.getFileName().toString().startsWith("pytorch-native"));
    } catch (IOException e) {
      fetched = false; // nothing was built there
    }
    return Finding.sound(
        "libtorch",
        (fetched
                ? "fetched for headrace train, for processors"
                : "headrace train fetches it when it first runs, 115 MB")
            + hint);
  }
}
