package io.headrace.cli;

import io.headrace.lab.machine.Machine;
import io.headrace.lab.tune.Limits;
import io.headrace.spec.Bytes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options that bound a choice.
final class LimitOptions {
  private static final double CACHE_SHARE = 0.75;

  @Option(
      names = "--storage",
      paramLabel = "SIZE",
      description = "The most that the whole dataset may take on disk; no limit if not given.")
  private @Nullable String storage;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Memory that may hold data between epochs; three quarters of the machine's.")
  private @Nullable String memory;

  @Option(
      names = "--consumer",
      paramLabel = "RATE",
      description = "Samples a second the trainer can take; as many as it gets if not given.")
  private double consumer;

  @Option(
      names = "--min-quality",
      paramLabel = "SSIM",
      defaultValue = "0.9",
      description = "Lowest mean SSIM against the original, 0 to 1 (${DEFAULT-VALUE}).")
  private double minQuality = 0.9;

  LimitOptions() {}

  Limits limits() {
    return limits(storage == null ? Long.MAX_VALUE : Bytes.parse(storage));
  }

  /// {@return the limits, with a storage limit if none was given}
  Limits limitsOr(long storageBytes) {
    return limits(storage == null ? storageBytes : Bytes.parse(storage));
  }

  private Limits limits(long storageBytes) {
    return new Limits(
        storageBytes,
        memory == null ? (long) (Machine.memoryBytes() * CACHE_SHARE) : Bytes.parse(memory),
        consumer,
        minQuality);
  }
}
