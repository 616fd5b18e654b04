package io.headrace.cli.options;

import io.headrace.lab.machine.Machine;
import io.headrace.lab.tune.AccuracyFile;
import io.headrace.lab.tune.Limits;
import io.headrace.load.ConsumerRate;
import io.headrace.spec.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options that bound a choice.
public final class LimitOptions {
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
      description =
          "The trainer's own rate: 4155/s, a preset such as resnet50, several, 4*resnet50, or the"
              + " command that trains, 'python train.py', whose rate is then measured; it takes all"
              + " it gets if not given.")
  private String consumer = "none";

  @Option(
      names = {"--min-ssim", "--min-quality"},
      paramLabel = "SSIM",
      description = "Lowest mean SSIM against the original, 0 to 1 (${DEFAULT-VALUE}).")
  private double minQuality = 0.9;

  @Option(
      names = "--min-msssim",
      paramLabel = "MS-SSIM",
      defaultValue = "0",
      description = "Lowest mean MS-SSIM against the original, 0 to 1 (${DEFAULT-VALUE}).")
  private double minMsSsim;

  @Option(names = "--lossless", description = "Every pixel must stay as it is.")
  private boolean lossless;

  @Option(
      names = "--max-accuracy-loss",
      paramLabel = "FILE",
      description =
          "What networks reached on each encoding, and how much may be lost; see docs/format.md.")
  private @Nullable Path accuracy;

  @Option(
      names = "--offline-budget",
      paramLabel = "TIME",
      description = "The most that converting the whole dataset may take: 90s, 20m, 8h.")
  private @Nullable String offline;

  /// {@return the trainer's own rate}
  public ConsumerRate trainer() throws IOException, InterruptedException {
    consumer = ConsumerCommand.rate(consumer); // measured once
    return ConsumerRate.parse(consumer);
  }

  public Limits limits() throws IOException, InterruptedException {
    return limits(storage == null ? Long.MAX_VALUE : Bytes.parse(storage));
  }

  /// {@return the limits, with a storage limit if none was given}
  public Limits limitsOr(long storageBytes) throws IOException, InterruptedException {
    return limits(storage == null ? storageBytes : Bytes.parse(storage));
  }

  private Limits limits(long storageBytes) throws IOException, InterruptedException {
    ConsumerRate rate = trainer();
    return new Limits(
        storageBytes,
        memory == null ? (long) (Machine.memoryBytes() * CACHE_SHARE) : Bytes.parse(memory),
        rate.unbounded() ? 0 : rate.samplesPerSecond(),
        minQuality,
        minMsSsim,
        lossless,
        offline == null ? Double.POSITIVE_INFINITY : Seconds.parse(offline),
        accuracy == null ? null : AccuracyFile.read(accuracy));
  }
}
