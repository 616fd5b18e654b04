package io.headrace.cli.watch;

import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Prints a notice if the process is told to end while this is open, for instance by Ctrl-C. The
/// command may be given a while to print what it has.
public final class StopNotice implements AutoCloseable {
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean asked;

  /// @param seconds that the command is given, unless it is done before; 0 for none
  public StopNotice(PrintWriter err, String words, long seconds) {
    hook =
        new Thread(
            () -> {
              asked = true;
              err.println();
              err.println(words);
              err.flush();
              try {
                boolean _ = done.await(seconds, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /// {@return whether the process was told to end}
  public boolean asked() {
    return asked;
  }

  @Override
  public void close() {
    done.countDown();
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return; // ending already: the notice is printed
    }
  }
}
