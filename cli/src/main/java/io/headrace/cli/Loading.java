package io.headrace.cli;

import io.headrace.error.ConfigException;
import io.headrace.load.ErrorPolicy;
import io.headrace.load.LoadOptions;
import picocli.CommandLine.Option;

/// Options of commands that load.
final class Loading {
  @Option(
      names = "--batch",
      paramLabel = "N",
      defaultValue = "64",
      description = "Samples in a batch (${DEFAULT-VALUE}).")
  private int batch = 64;

  @Option(names = "--threads", paramLabel = "N", description = "Decode workers; as many as cores.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--readers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads that read ahead (${DEFAULT-VALUE}).")
  private int readers = 2;

  @Option(
      names = "--prefetch",
      paramLabel = "N",
      defaultValue = "4",
      description = "Batches in memory at one time (${DEFAULT-VALUE}).")
  private int prefetch = 4;

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "1024",
      description = "Samples among which compressed shards are shuffled (${DEFAULT-VALUE}).")
  private int window = 1024;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "shuffled",
      description = "shuffled (the default) or stored.")
  private String order = "shuffled";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "0",
      description = "Of orders and random steps (${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--on-error",
      paramLabel = "POLICY",
      defaultValue = "fail",
      description = "fail (the default), skip or substitute a sample that cannot be delivered.")
  private String onError = "fail";

  @Option(
      names = "--memory-budget",
      paramLabel = "SIZE",
      defaultValue = "2GiB",
      description = "Bound on memory for batches and read-ahead (${DEFAULT-VALUE}).")
  private String memory = "2GiB";

  @Option(
      names = "--dct-scaling",
      description =
          "Decode JPEGs at 1/2, 1/4 or 1/8 size where the crop allows: faster, and other"
              + " pixels.")
  private boolean dctScaling;

  @Option(
      names = "--apply-orientation",
      description = "Turn images the right way up, as their EXIF tag says; off by default.")
  private boolean applyOrientation;

  Loading() {}

  LoadOptions.Builder builder() {
    if (!order.equals("shuffled") && !order.equals("stored")) {
      throw new ConfigException("unknown order '" + order + "': expected shuffled or stored");
    }
    return LoadOptions.builder()
        .batchSize(batch)
        .threads(threads)
        .readers(readers)
        .prefetch(prefetch)
        .window(window)
        .shuffle(order.equals("shuffled"))
        .seed(seed)
        .policy(ErrorPolicy.of(onError))
        .memory(Units.bytes(memory))
        .dctScaling(dctScaling)
        .applyOrientation(applyOrientation);
  }
}
