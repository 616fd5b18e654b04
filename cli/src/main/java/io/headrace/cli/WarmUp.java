package io.headrace.cli;

import java.io.PrintWriter;
import java.io.Writer;
import picocli.CommandLine;

/// What is run once, when the start-up cache is made, so that its classes are in it.
final class WarmUp {
  private WarmUp() {}

  static void run() {
    CommandLine command = Main.commandLine();
    var nowhere = new PrintWriter(Writer.nullWriter());
    command.setOut(nowhere).setErr(nowhere);
    command.execute("--help");
    command.execute("load", "--help");
    command.execute("inspect", "no such folder");
    command.execute("doctor");
  }
}
