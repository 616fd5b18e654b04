package io.headrace.cli.print;

import java.io.Console;
import java.io.PrintWriter;

/// What a long command is doing: one line that is overwritten on a terminal, nothing elsewhere.
public final class Terminal {
  /// Characters of such a line: a terminal has 80 columns, and few move on after the last.
  private static final int COLUMNS = 78;

  private final PrintWriter err;
  private final boolean terminal = attached();

  public Terminal(PrintWriter err) {
    this.err = err;
  }

  public void say(String what) {
    if (terminal) {
      err.print(over(what));
      err.flush();
    }
  }

  /// {@return whether input and output are a terminal}
  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again if there is none
  public static boolean attached() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /// {@return characters that overwrite the line with a text, cut off if it is too long}
  public static String over(String text) {
    String line = text.length() > COLUMNS ? text.substring(0, COLUMNS) : text;
    return "\r" + line + " ".repeat(COLUMNS - line.length()) + "\r";
  }
}
