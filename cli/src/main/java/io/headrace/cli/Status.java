package io.headrace.cli;

import java.io.PrintWriter;

/// What a long command is doing: one line that is overwritten on a terminal, nothing elsewhere.
final class Status {
  private final PrintWriter err;
  private final boolean terminal = Terminal.attached();

  Status(PrintWriter err) {
    this.err = err;
  }

  void say(String what) {
    if (terminal) {
      err.print(Terminal.over(what));
      err.flush();
    }
  }
}
