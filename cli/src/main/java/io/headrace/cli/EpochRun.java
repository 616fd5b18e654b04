package io.headrace.cli;

import io.headrace.cli.watch.LoadMonitor;
import io.headrace.error.ConfigException;
import io.headrace.load.ConsumerRate;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.LoaderState;
import io.headrace.load.PacedConsumer;
import io.headrace.memory.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/// Epochs one after another, resumed from a state, and stopped at one.
final class EpochRun {
  private final Loader loader;
  private final PacedConsumer consumer;
  private final @Nullable Path file;
  private long left;
  private @Nullable LoaderState state;
  private long next;

  /// @param consumer that takes the batches
  /// @param file to read the state from, if it is there, and to write it to; or null
  /// @param batches to load at most, or -1
  EpochRun(Loader loader, ConsumerRate consumer, @Nullable Path file, long batches)
      throws IOException {
    if (batches < -1 || batches == 0) {
      throw new ConfigException("stop after " + batches + " batches: expected at least 1");
    }
    this.loader = loader;
    this.consumer = new PacedConsumer(consumer);
    this.file = file;
    left = batches < 0 ? Long.MAX_VALUE : batches;
    if (file != null && Files.exists(file)) {
      state = LoaderState.parse(Files.readString(file));
    }
  }

  boolean goesOn() {
    return left > 0;
  }

  /// Loads an epoch, or what is left of it.
  ///
  /// @param another whether the one after it is loaded next
  EpochReport run(LoadMonitor watch, boolean another) throws IOException {
    LoaderState from = state;
    long number = from == null ? next : from.epoch();
    try (Epoch epoch = from == null ? loader.epoch(number) : loader.epoch(from)) {
      watch.begin(epoch, number);
      if (another) {
        loader.announce(number + 1);
      }
      while (left > 0) {
        Batch batch = epoch.next();
        if (batch == null) {
          break;
        }
        watch.batch(epoch, batch.size());
        consumer.work(batch.size());
        batch.close();
        left--;
      }
      if (file != null) {
        state = epoch.state();
      }
      next++;
      EpochReport report = epoch.report();
      watch.end(report);
      return report;
    }
  }

  /// Writes where loading stands, under a temporary name first.
  void save() throws IOException {
    LoaderState reached = state;
    if (file == null || reached == null) {
      return;
    }
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(temporary, reached.toJson() + "\n");
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
