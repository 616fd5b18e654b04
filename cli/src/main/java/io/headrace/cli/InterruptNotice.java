package io.headrace.cli;

import java.io.PrintWriter;

/// Prints a notice if the process is told to end while this is open, for instance by Ctrl-C.
final class InterruptNotice implements AutoCloseable {
  private final Thread hook;

  InterruptNotice(PrintWriter err, String words) {
    hook =
        new Thread(
            () -> {
              err.println();
              err.println(words);
              err.flush();
            });
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // ending already: the notice is printed
    }
  }
}
