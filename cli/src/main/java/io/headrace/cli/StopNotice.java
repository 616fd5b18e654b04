package io.headrace.cli;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Lets a command end in order when the process is told to end, for instance by Ctrl-C: it is told
/// so, and has a while to print what it has.
final class StopNotice implements AutoCloseable {
  private static final long MAX_SECONDS = 60;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean asked;

  StopNotice(PrintWriter err, String words) {
    hook =
        new Thread(
            () -> {
              asked = true;
              err.println();
              err.println(words);
              err.flush();
              try {
                boolean _ = done.await(MAX_SECONDS, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /// {@return whether the process was told to end}
  boolean asked() {
    return asked;
  }

  @Override
  public void close() {
    done.countDown();
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // ending already
    }
  }
}
