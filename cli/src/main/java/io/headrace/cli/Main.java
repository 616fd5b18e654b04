package io.headrace.cli;

import io.headrace.convert.Converter;
import io.headrace.error.ConfigException;
import io.headrace.pipeline.SampleProcessor;
import io.headrace.store.Places;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// The `headrace` command.
@Command(
    name = "headrace",
    mixinStandardHelpOptions = true,
    version = Converter.TOOL_VERSION,
    description =
        "Keeps deep-learning trainers fed: measures, converts and delivers training data.",
    footer = {
      "",
      "Start with:  headrace demo",
      "Exit codes:  0 done, 1 failed, 2 usage, 3 bad data found"
    })
public final class Main implements Runnable {
  private static final List<Class<?>> COMMANDS =
      List.of(
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
          Doctor.class);

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

  @Spec private CommandSpec spec;

  private Main(CommandSpec spec) {
    this.spec = spec;
  }

  Main() {
    this(CommandSpec.create());
  }

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
    return commandLineOf(COMMANDS);
  }

  /// {@return what can run these arguments: if they begin with a command, it alone, since to put
  ///     all commands together takes longer than some of them run}
  private static CommandLine commandLine(String[] args) {
    for (Class<?> command : COMMANDS) {
      if (args.length > 0 && command.getAnnotation(Command.class).name().equals(args[0])) {
        return commandLineOf(List.of(command));
      }
    }
    return commandLine();
  }

  private static CommandLine commandLineOf(List<Class<?>> commands) {
    var line = new CommandLine(new Main());
    commands.forEach(line::addSubcommand);
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

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
