package io.headrace.cli.options;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.headrace.error.ConfigException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/// Has a Python script's batches diagnosed by `python/headrace/diagnose.py`.
public final class PythonScript {
  private PythonScript() {}

  /// {@return the exit code}
  ///
  /// @param iterable its name in the script, or null for the usual ones
  /// @param seconds to take batches for
  public static int diagnose(
      CommandSpec spec,
      Path script,
      @Nullable String iterable,
      String consumer,
      double seconds,
      boolean json)
      throws IOException, InterruptedException {
    if (!Files.isRegularFile(script)) {
      throw new NoSuchFileException(script.toString(), null, "no such Python script");
    }
    String python = Objects.requireNonNullElse(System.getenv("HEADRACE_PYTHON"), "python3");
    List<String> command =
        new ArrayList<>(List.of(python, "-m", "headrace.diagnose", script.toString()));
    command.addAll(List.of("--consumer", consumer, "--seconds", String.valueOf(2 * seconds)));
    if (iterable != null) {
      command.addAll(List.of("--iterable", iterable));
    }
    if (json) {
      command.add("--json");
    }
    Process process = start(command, "HEADRACE_PYTHON names a Python with the script's packages");
    spec.commandLine().getOut().print(new String(process.getInputStream().readAllBytes(), UTF_8));
    spec.commandLine().getOut().flush();
    return process.waitFor();
  }

  /// {@return a Python that has our modules beside its own}
  ///
  /// @param remedy what to do where it cannot be run
  static Process start(List<String> command, String remedy) {
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    String home = Objects.requireNonNullElse(System.getenv("HEADRACE_HOME"), ".");
    String there = builder.environment().get("PYTHONPATH");
    String ours = Path.of(home, "python").toAbsolutePath().toString();
    builder
        .environment()
        .put("PYTHONPATH", there == null ? ours : ours + File.pathSeparator + there);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new ConfigException(command.getFirst() + " cannot be run: " + remedy);
    }
  }
}
