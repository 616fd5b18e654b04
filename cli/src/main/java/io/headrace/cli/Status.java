package io.headrace.cli;

import java.io.PrintWriter;

/// What a long command is doing: one line that is overwritten on a terminal, nothing elsewhere.
final class Status {
  private static final int COLUMNS = 78;

  private final PrintWriter err;
  private final boolean terminal = Terminal.attached();

  Status(PrintWriter err) {
    this.err = err;
  }

  void say(String what) {
    if (terminal) {
      String line = what.length() > COLUMNS ? what.substring(0, COLUMNS) : what;
      err.print("\r" + line + " ".repeat(COLUMNS - line.length()) + "\r");
      err.flush();
    }
  }
}
