package io.headrace.lab.trial;

import io.headrace.format.Dataset;
import io.headrace.lab.machine.MemoryProbe;
import io.headrace.lab.machine.ProcessorTime;
import io.headrace.lab.machine.Traffic;
import io.headrace.load.Epoch;
import io.headrace.load.EpochReport;
import io.headrace.load.Loader;
import io.headrace.load.PacedConsumer;
import io.headrace.load.plan.LoadOptions;
import io.headrace.memory.Batch;
import io.headrace.pipeline.Pipeline;
import io.headrace.store.Ticker;
import io.headrace.store.disk.PageCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/// What a runner measures with. Tests use a clock and a loader whose numbers they know.
///
/// @param ticker the clock
/// @param processors how busy they were so far
/// @param traffic what came in so far
/// @param allowed processors that this process may use
/// @param memory bytes a second that its memory reads or writes
/// @param pages drops a file's pages from the page cache
/// @param loading opens loaders
public record Instruments(
    Ticker ticker,
    Supplier<ProcessorTime> processors,
    Supplier<Traffic> traffic,
    int allowed,
    DoubleSupplier memory,
    Pages pages,
    Loading loading) {
  /// Drops the pages of a file.
  @FunctionalInterface
  public interface Pages {
    /// Does so.
    void drop(Path file) throws IOException;
  }

  /// Opens loaders.
  @FunctionalInterface
  public interface Loading {
    /// {@return a loader over a dataset, which stays the caller's}
    Epochs open(Dataset dataset, Pipeline pipeline, LoadOptions options) throws IOException;
  }

  /// A loader, an epoch at a time.
  public interface Epochs extends AutoCloseable {
    /// Loads an epoch.
    ///
    /// @param number its number
    /// @param another whether the one after it is loaded next
    /// @param consumer works on each batch
    EpochReport load(long number, boolean another, PacedConsumer consumer) throws IOException;

    /// {@return the most off-heap bytes in use at one time so far}
    long peakMemory();

    @Override
    void close();
  }

  /// {@return those of the machine}
  public static Instruments ofMachine() {
    return new Instruments(
        Ticker.SYSTEM,
        ProcessorTime::now,
        Traffic::now,
        Runtime.getRuntime().availableProcessors(),
        () -> MemoryProbe.bytesPerSecond(Runtime.getRuntime().availableProcessors()),
        PageCache::drop,
        RealLoader::new);
  }

  private record RealLoader(Loader loader) implements Epochs {
    RealLoader(Dataset dataset, Pipeline pipeline, LoadOptions options) {
      this(new Loader(dataset, pipeline, options));
    }

    @Override
    public EpochReport load(long number, boolean another, PacedConsumer consumer)
        throws IOException {
      try (Epoch epoch = loader.epoch(number)) {
        if (another) {
          loader.announce(number + 1);
        }
        for (Batch batch = epoch.next(); batch != null; batch = epoch.next()) {
          consumer.work(batch.size());
          batch.close();
        }
        return epoch.report();
      }
    }

    @Override
    public long peakMemory() {
      return loader.peakMemory();
    }

    @Override
    public void close() {
      loader.close();
    }
  }
}
