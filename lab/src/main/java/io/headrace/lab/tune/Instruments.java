package io.headrace.lab.tune;

import io.headrace.format.Dataset;
import io.headrace.format.Subset;
import io.headrace.lab.machine.ProcessorTime;
import io.headrace.store.DiskProbe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// The instruments of a tuner. Tests use a clock and a loader whose numbers they know.
///
/// @param clock in nanoseconds
/// @param processors how busy they were so far
/// @param allowed processors that this process may use
/// @param disk tells read rates
/// @param loader loads a candidate for a while
/// @param solo goes through a candidate with one thread
record Instruments(
    LongSupplier clock,
    Supplier<ProcessorTime> processors,
    int allowed,
    Disk disk,
    Loading loader,
    Alone solo) {
  private static final int SOLO_SAMPLES = 64;
  private static final int PROBE_MEBIBYTES = 64;

  /// Tells the bytes a second that a folder's disk gives.
  @FunctionalInterface
  interface Disk {
    double bytesPerSecond(Path folder) throws IOException;
  }

  /// Loads a dataset for a while, from an epoch on.
  @FunctionalInterface
  interface Loading {
    Stretch load(Dataset data, long first) throws IOException;
  }

  /// Goes through some samples of a dataset with one thread.
  @FunctionalInterface
  interface Alone {
    Solo measure(Dataset data, long epoch) throws IOException;
  }

  /// {@return those of the machine}
  static Instruments of(TuneOptions options) {
    return new Instruments(
        System::nanoTime,
        ProcessorTime::now,
        Runtime.getRuntime().availableProcessors(),
        folder -> DiskProbe.of(folder, PROBE_MEBIBYTES).bytesPerSecond(),
        (data, first) ->
            Stretch.of(data, options.pipeline(), options.load(), first, options.seconds()),
        (data, epoch) ->
            Solo.of(new Subset(data, SOLO_SAMPLES), options.pipeline(), options.load(), epoch));
  }
}
