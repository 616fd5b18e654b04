package io.headrace.cli;

import io.headrace.error.ConfigException;
import io.headrace.load.ErrorPolicy;
import io.headrace.load.LoadOptions;
import io.headrace.load.cache.CacheSpec;
import io.headrace.order.OrderSpec;
import org.jspecify.annotations.Nullable;
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
      names = {"--readers", "--io-depth"},
      paramLabel = "N",
      defaultValue = "2",
      description = "Reads at one time, each by a thread (${DEFAULT-VALUE}).")
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
      description =
          "full (the default), sequential, buffer[:FILL], interleave[:LANES[:FILL]],"
              + " block[:SAMPLES[:BLOCKS]], two-region[:stored|rotate|blocks[:SAMPLES]]; shuffled"
              + " and stored mean full and sequential.")
  private @Nullable String order;

  @Option(
      names = "--cache",
      paramLabel = "CACHE",
      defaultValue = "none",
      description =
          "Samples kept in memory between epochs: none (the default), lru:SIZE, minio:SIZE,"
              + " two-region:SIZE; counts against the memory budget.")
  private String cache = "none";

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
      description = "Bound on memory for batches, read-ahead and cache (${DEFAULT-VALUE}).")
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
    CacheSpec kept = cacheSpec();
    return LoadOptions.builder()
        .batchSize(batch)
        .threads(threads)
        .readers(readers)
        .prefetch(prefetch)
        .window(window)
        .order(orderSpec(kept))
        .cache(kept)
        .seed(seed)
        .policy(ErrorPolicy.of(onError))
        .memory(Units.bytes(memory))
        .dctScaling(dctScaling)
        .applyOrientation(applyOrientation);
  }

  private OrderSpec orderSpec(CacheSpec kept) {
    String text = order;
    if (text != null) {
      return OrderSpec.parse(text);
    }
    return kept instanceof CacheSpec.TwoRegion ? OrderSpec.parse("two-region") : OrderSpec.FULL;
  }

  private CacheSpec cacheSpec() {
    int colon = cache.indexOf(':');
    String size = cache.substring(colon + 1);
    return switch (colon < 0 ? cache : cache.substring(0, colon)) {
      case "none" -> CacheSpec.NONE;
      case "lru" -> new CacheSpec.Lru(Units.bytes(size));
      case "minio" -> new CacheSpec.MinIo(Units.bytes(size));
      case "two-region" -> new CacheSpec.TwoRegion(Units.bytes(size));
      default ->
          throw new ConfigException(
              "unknown cache '%s': expected none, lru:SIZE, minio:SIZE or two-region:SIZE"
                  .formatted(cache));
    };
  }
}
