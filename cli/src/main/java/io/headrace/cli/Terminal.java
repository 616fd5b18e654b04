package io.headrace.cli;

import java.io.Console;

/// Whether somebody watches.
final class Terminal {
  private Terminal() {}

  /// {@return whether input and output are a terminal}
  @SuppressWarnings("SystemConsoleNull") // JDK 25 gives null again where there is none
  static boolean attached() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
