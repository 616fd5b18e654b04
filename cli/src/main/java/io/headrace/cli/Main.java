package io.headrace.cli;

import io.headrace.error.ConfigException;
import io.headrace.pipeline.SampleProcessor;
import io.headrace.store.Places;
import java.nio.file.Path;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.TypeConversionException;

/// The `headrace` command with all its commands.
@Command(
    subcommands = {
      Demo.class,
      Inspect.class,
      Verify.class,
      Convert.class,
      Extract.class,
      Diff.class,
      Load.class,
      Serve.class,
      Diagnose.class,
      ProfileCommand.class,
      Tune.class,
      SizeCommand.class,
      StepList.class,
      SweepCommand.class,
      ReportCommand.class,
      ExperimentCommand.class,
      EvidenceCommand.class,
      Codecs.class,
      Train.class,
      Doctor.class
    })
public final class Main extends Headrace {
  /// Commands that process samples: the launcher gives them vectors.
  private static final Set<String> PROCESSING =
      Set.of(
          "load",
          "serve",
          "diagnose",
          "profile",
          "tune",
          "size",
          "sweep",
          "demo",
          "experiment",
          "evidence",
          "train");

  /// Runs one command and exits with its code.
  public static void main(String[] args) {
    if (args.length == 1 && args[0].equals("--warm-up")) {
      WarmUp.run();
      return;
    }
    if (args.length > 0 && PROCESSING.contains(args[0])) {
      SampleProcessor.warmUp(); // while the command is put together and its dataset opened
    }
    System.exit(commandLine(args).execute(args));
  }

  static CommandLine commandLine() {
    return configured(new CommandLine(new Main()));
  }

  /// {@return what can run these arguments: if they begin with a command, it alone, since to put
  ///     all commands together takes longer than some of them run}
  static CommandLine commandLine(String[] args) {
    for (Class<?> command : Main.class.getAnnotation(Command.class).subcommands()) {
      if (args.length > 0 && command.getAnnotation(Command.class).name().equals(args[0])) {
        return configured(new CommandLine(new Headrace()).addSubcommand(command));
      }
    }
    return commandLine();
  }

  private static CommandLine configured(CommandLine line) {
    return line.registerConverter(Path.class, Main::path)
        .setExecutionExceptionHandler(new Failures())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }

  private static Path path(String text) {
    try {
      return Places.path(text);
    } catch (ConfigException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
