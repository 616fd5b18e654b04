package io.headrace.cli;

import io.headrace.convert.Converter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// The `headrace` command without its commands.
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
class Headrace implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
