package io.headrace.cli.watch;

import io.headrace.cli.print.Terminal;
import io.headrace.cli.print.Units;
import io.headrace.load.Bottleneck;
import io.headrace.meter.Stage;
import io.headrace.meter.StageReading;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The progress of a load, on standard error: one line that is rewritten on a terminal, a line
/// every five seconds elsewhere. Nothing for the first second. Rates and shares are those of the
/// time since the line before.
public final class LiveLine implements AutoCloseable {
  private static final long FIRST_MILLIS = 1000;
  private static final long TERMINAL_MILLIS = 500;
  private static final long PLAIN_MILLIS = 5000;

  private final LoadMonitor watch;
  private final PrintWriter err;
  private final boolean terminal;
  private final Thread thread;
  private LoadMonitor.@Nullable Now last;
  private boolean shown;
  private volatile boolean closed;

  LiveLine(LoadMonitor watch, PrintWriter err) {
    this.watch = watch;
    this.err = err;
    terminal = Terminal.attached();
    thread = Thread.ofVirtual().start(this::show);
  }

  private void show() {
    try {
      Thread.sleep(terminal ? FIRST_MILLIS : PLAIN_MILLIS);
      while (!closed) {
        say();
        Thread.sleep(terminal ? TERMINAL_MILLIS : PLAIN_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // closed
    }
  }

  private synchronized void say() {
    LoadMonitor.Now now = watch.current();
    if (now == null) {
      return;
    }
    LoadMonitor.Now before = last;
    String line = text(before != null && before.epoch() == now.epoch() ? before : null, now);
    last = now;
    if (!terminal) {
      err.println(line);
    } else {
      err.print(Terminal.over(brief(line)));
      shown = true;
    }
    err.flush();
  }

  /// Takes the line away, for other output.
  synchronized void clear() {
    if (shown) {
      err.print(Terminal.over(""));
      err.flush();
      shown = false;
    }
  }

  /// {@return the line's parts by importance, since not all may fit: the bottleneck before the
  ///     queue, the waits and the threads}
  public static String brief(String line) {
    List<String> parts = Arrays.asList(line.split(" \\| "));
    Collections.reverse(parts.subList(1, parts.size()));
    return String.join(" | ", parts);
  }

  /// {@return the line}
  ///
  /// @param before an earlier look at the same epoch, or null for its beginning
  public static String text(LoadMonitor.@Nullable Now before, LoadMonitor.Now now) {
    double seconds = Math.max(1e-9, now.seconds() - (before == null ? 0 : before.seconds()));
    List<StageReading> then = before == null ? List.of() : before.stages();
    long samples = now.samples() - (before == null ? 0 : before.samples());
    long places = now.places() - (before == null ? 0 : before.places());
    long queued = now.queued() - (before == null ? 0 : before.queued());
    var line = new StringBuilder();
    line.append(String.format(Locale.ROOT, "epoch %d: %,d", now.epoch(), now.samples()));
    if (now.size() >= 0) {
      line.append(String.format(Locale.ROOT, " of %,d", now.size()));
    }
    if (now.skipped() > 0) {
      line.append(String.format(Locale.ROOT, ", %,d skipped", now.skipped()));
    }
    line.append(", ").append(Units.rate(samples / seconds)).append("/s | a thread");
    for (Stage stage : List.of(Stage.READ, Stage.DECODE, Stage.TRANSFORM)) {
      StageReading past = of(then, stage);
      StageReading present = of(now.stages(), stage);
      double busy = present.seconds() - past.seconds();
      line.append(' ').append(stage.name().toLowerCase(Locale.ROOT)).append(' ');
      line.append(busy > 0 ? Units.rate((present.items() - past.items()) / busy) + "/s" : "-");
    }
    line.append(" | waits");
    line.append(wait(" readers", then, now, Stage.BLOCK, seconds));
    line.append(wait(" workers", then, now, Stage.STARVE, seconds * now.threads()));
    line.append(wait(" consumer", then, now, Stage.STALL, seconds));
    line.append(
        String.format(Locale.ROOT, " | queue %.0f%%", 100.0 * queued / Math.max(1, places)));
    line.append(" | ");
    line.append(Bottleneck.between(then, now.stages(), seconds, now.threads()).label());
    return line.toString();
  }

  /// {@return a share of waiting; for readers in seconds a second, since their number is not known
  ///     here}
  private static String wait(
      String who, List<StageReading> then, LoadMonitor.Now now, Stage stage, double of) {
    double waited = of(now.stages(), stage).seconds() - of(then, stage).seconds();
    return stage == Stage.BLOCK
        ? String.format(Locale.ROOT, "%s %.1f", who, waited / of)
        : String.format(Locale.ROOT, "%s %.0f%%", who, Math.min(100, 100 * waited / of));
  }

  private static StageReading of(List<StageReading> readings, Stage stage) {
    for (StageReading reading : readings) {
      if (reading.stage() == stage) {
        return reading;
      }
    }
    return new StageReading(stage, 0, 0, 0, 0);
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
    clear();
  }
}
