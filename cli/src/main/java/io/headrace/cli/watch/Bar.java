package io.headrace.cli.watch;

import io.headrace.cli.print.Terminal;
import io.headrace.convert.Progress;
import java.io.PrintWriter;
import java.util.Locale;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/// Shows a conversion's progress on standard error: a bar with rate and time left on a terminal,
/// a plain line every few seconds elsewhere. Nothing for the first second.
public final class Bar implements AutoCloseable {
  private static final long FIRST_MILLIS = 1000;
  private static final long TERMINAL_MILLIS = 250;
  private static final long PLAIN_MILLIS = 5000;

  private final Progress progress;
  private final PrintWriter err;
  private final boolean terminal;
  private final Thread thread;
  private final long start = System.nanoTime();
  private volatile boolean closed;

  public Bar(Progress progress, PrintWriter err) {
    this.progress = progress;
    this.err = err;
    terminal = Terminal.attached();
    thread = Thread.ofVirtual().start(this::show);
  }

  private void show() {
    ProgressBar bar = null;
    try {
      Thread.sleep(FIRST_MILLIS);
      if (terminal && !closed) {
        bar = bar();
      }
      while (!closed) {
        if (bar != null) {
          bar.maxHint(progress.total());
          bar.stepTo(progress.samples());
          bar.setExtraMessage(" " + saved());
        } else {
          err.println(plain());
          err.flush();
        }
        Thread.sleep(terminal ? TERMINAL_MILLIS : PLAIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    } finally {
      finish(bar);
    }
  }

  private void finish(@Nullable ProgressBar bar) {
    if (bar != null) {
      bar.stepTo(progress.samples());
      bar.close();
    }
  }

  private static ProgressBar bar() {
    return new ProgressBarBuilder()
        .setTaskName("converting")
        .setUnit(" samples", 1)
        .showSpeed()
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis((int) TERMINAL_MILLIS)
        .build();
  }

  private String saved() {
    long in = progress.bytesIn();
    return in == 0
        ? ""
        : String.format(Locale.ROOT, "%+.0f %% bytes", 100.0 * progress.bytesOut() / in - 100);
  }

  private String plain() {
    double seconds = (System.nanoTime() - start) / 1e9;
    double rate = progress.samples() / seconds;
    return String.format(
        Locale.ROOT,
        "converted %,d of %,d samples, %,.0f/s, %.0f s left, %s",
        progress.samples(),
        progress.total(),
        rate,
        rate > 0 ? (progress.total() - progress.samples()) / rate : 0,
        saved());
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
