package io.headrace.cli;

import java.io.Console;

/// Whether output is a terminal, and lines that overwrite one another there.
final class Terminal {
  /// Characters of such a line: a terminal has 80 columns, and few move on after the last.
  private static final int COLUMNS = 78;

  private Terminal() {}

  /// {@return whether input and output are a terminal}
  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again if there is none
  static boolean attached() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /// {@return characters that overwrite the line with a text, cut off if it is too long}
  static String over(String text) {
    String line = text.length() > COLUMNS ? text.substring(0, COLUMNS) : text;
    return "\r" + line + " ".repeat(COLUMNS - line.length()) + "\r";
  }
}
